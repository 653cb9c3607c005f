//! BLAKE3 (O'Connor, Aumasson, Neves, Wilcox-O'Hearn 2020) of inputs that fit one chunk, 1,024 bytes: no tree, no counter, one
//! block after the other. Records and what is told of them are no longer. It is here, and not a dependency, because a record is
//! written where nothing may panic and this can be shown of it by linking; the tests compare it with the `blake3` crate.

use crate::control::Digest;

/// Longest input.
pub(crate) const LONGEST: usize = 1_024;

const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// Flags of a compression.
const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 1 << 1;
const ROOT: u32 = 1 << 3;
const KEYED: u32 = 1 << 4;
const CONTEXT: u32 = 1 << 5;
const MATERIAL: u32 = 1 << 6;

/// Key derivation: a context that is written down here, and key material. `None`: one of them is too long.
pub(crate) fn derive(context: &str, material: &[u8]) -> Option<Digest> {
    let key = chunk(IV, context.as_bytes(), CONTEXT)?;
    chunk(words(&key), material, MATERIAL)
}

/// Keyed hash. `None`: the input is too long.
pub(crate) fn keyed(key: &Digest, input: &[u8]) -> Option<Digest> {
    chunk(words(key), input, KEYED)
}

fn chunk(key: [u32; 8], input: &[u8], mode: u32) -> Option<Digest> {
    if input.len() > LONGEST {
        return None;
    }
    let (whole, rest) = input.as_chunks::<64>();
    // The last block ends the chunk: a short one, or the last whole one. An empty input is one empty block.
    let (whole, last) = match (whole.split_last(), rest) {
        (Some((last, whole)), []) => (whole, last.as_slice()),
        (_, rest) => (whole, rest),
    };
    let mut value = key;
    let mut start = CHUNK_START;
    for block in whole {
        value = compress(value, block, 64, mode | start);
        start = 0;
    }
    let mut block = [0; 64];
    for (to, from) in block.iter_mut().zip(last) {
        *to = *from;
    }
    let length = u32::try_from(last.len()).ok()?;
    value = compress(value, &block, length, mode | start | CHUNK_END | ROOT);
    let mut out = [0; 32];
    for (to, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(value) {
        *to = word.to_le_bytes();
    }
    Some(out)
}

fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u32; WORDS] {
    let mut out = [0; WORDS];
    for (word, four) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*four);
    }
    out
}

fn compress(value: [u32; 8], block: &[u8; 64], length: u32, flags: u32) -> [u32; 8] {
    let [a, b, c, d, e, f, g, h] = value;
    let [i, j, k, l, ..] = IV;
    let mut state = [a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, length, flags];
    let mut message: [u32; 16] = words(block);
    for _ in 0..7 {
        state = round(state, &message);
        message = permuted(message);
    }
    let (low, high) = state.split_at(8);
    let mut out = [0; 8];
    for ((to, x), y) in out.iter_mut().zip(low).zip(high) {
        *to = x ^ y;
    }
    out
}

/// Columns, then diagonals.
fn round(state: [u32; 16], message: &[u32; 16]) -> [u32; 16] {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = state;
    let [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = *message;
    let [a0, b0, c0, d0] = quarter([a0, b0, c0, d0], m0, m1);
    let [a1, b1, c1, d1] = quarter([a1, b1, c1, d1], m2, m3);
    let [a2, b2, c2, d2] = quarter([a2, b2, c2, d2], m4, m5);
    let [a3, b3, c3, d3] = quarter([a3, b3, c3, d3], m6, m7);
    let [a0, b1, c2, d3] = quarter([a0, b1, c2, d3], m8, m9);
    let [a1, b2, c3, d0] = quarter([a1, b2, c3, d0], m10, m11);
    let [a2, b3, c0, d1] = quarter([a2, b3, c0, d1], m12, m13);
    let [a3, b0, c1, d2] = quarter([a3, b0, c1, d2], m14, m15);
    [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3]
}

fn quarter([a, b, c, d]: [u32; 4], x: u32, y: u32) -> [u32; 4] {
    let a = a.wrapping_add(b).wrapping_add(x);
    let d = (d ^ a).rotate_right(16);
    let c = c.wrapping_add(d);
    let b = (b ^ c).rotate_right(12);
    let a = a.wrapping_add(b).wrapping_add(y);
    let d = (d ^ a).rotate_right(8);
    let c = c.wrapping_add(d);
    let b = (b ^ c).rotate_right(7);
    [a, b, c, d]
}

fn permuted(message: [u32; 16]) -> [u32; 16] {
    let [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15] = message;
    [m2, m6, m3, m10, m7, m0, m4, m13, m1, m11, m12, m5, m9, m14, m15, m8]
}
