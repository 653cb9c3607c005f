//! Numbers in a fixed order.

/// A stream of numbers that depends on its seed alone (Knuth's linear congruence, its upper bits).
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// The stream of one case of a run: no case depends on those before it, so that a run can be cut into ranges.
    #[must_use]
    pub fn of(seed: u64, case: u64) -> Self {
        let mut d = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case.wrapping_mul(0xd1b5_4a32_d192_ed03));
        // The first numbers of neighbouring seeds are alike.
        (0..4).for_each(|_| {
            d.below(2);
        });
        d
    }

    /// A number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n.max(1)).unwrap_or(1)).unwrap_or(0)
    }

    /// One of them.
    ///
    /// # Panics
    /// If there is none.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
