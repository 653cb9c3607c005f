//! Parse after print is the identity; print after parse is a layout that stays.

use super::support::{good, policy, shipped};
use roadlaw_grammar::print;

fn round(text: &str) -> String {
    let tree = good(text);
    let once = print(&tree);
    assert_eq!(good(&once), tree, "{once}");
    assert_eq!(print(&good(&once)), once);
    once
}

#[test]
fn shipped_sources_print_faithfully() {
    for (_, text) in shipped() {
        let once = round(&text);
        assert!(once.lines().all(|l| !l.ends_with(' ')), "{once}");
    }
}

/// Every construct of the language, in canonical layout already.
const EVERYTHING: &str = r#"edition 1

use std.facts
use lib.more as more

/// A doc.
///   indented
///
policy a.b@12 profile strict {
  use std.lanes as lanes

  pins { pattern "a//b"  spell "" }

  facts {
    /// How much.
    sealed weight : int -1_000..100  unknown = 100  as load
    pinned money : int 0..100 cents per road  unknown = 20 cents
    volatile login : evidence per target
    latch tried : bool  unknown = true
    rank price : level { low < high }
    pinned kind : enum { a, b }
    pinned tags : set { a }
  }

  const n = 40
  const t = 30s
  const other = limits.spend
  let std.x = a and (b or c) and not not d[road] as role_name
  need cut when w >= n + 3 or w < n - 3
  need durable

  limits turn { deadline 30s  wait 5ms  tokens 6_000 in 2_000 out 8_000 total  spend 20 cents }

  limits later

  target m : portal { provider "m"  region eu  path "/v1" }

  record { input_digest, artifact_set_digest, expiry }
  export id : opaque
  export proof : digest of input keyed by consumer, purpose, class, epoch, retention
  export old : sha256(payload, nonce)

  projection p { question: query, style: instructions }

  filters f {
    use std.filters.portal, std.filters.peer
    long_name : target.region in { eu, us }
    b         : s has x and s has any { x, y } and s has all { x } or s empty or s is unknown
    c         : a == b and a != 3 and a > 1h and a <= 2d and a >= 3m
  }

  role reviewer floor high {
    /// The first.
    road r : human human { filters f }
    road q : option { }
  }

  /// Inline everything.
  road x : coding_job opaque through y to m with { prompt: instructions } carrier manual {
    filters {
      use std.filters.coding
      a : b
    }
    limits { spend 0 }
    limits turn { spend 0 }
    workspace { "src" write  docs read }
    artifacts { patch "a patch" }
    question { rubric "r@1"  contract "c@1" }
    containment std.box
  }
  road z : native portal to m with p { limits turn  filters std.filters.portal  workspace { } }

  counter c = 2 spent -> refused(reason)

  lane l(r: road portal, c: counter, p: place) exits { ok, failed } {
    start -> decide(r) -> cut(r)? -> send(r) -> exit(ok)
    node again : egress(r)
    node look : send(r) as search
    node keep : own as storage
    send(r).lost when replay_proved or no_effect -redeliver-> again takes c
    send(r).lost else -> exit(failed)
    else -> exit(failed)
  }

  child of x calls 7 {
    start -> done
  }

  flow {
    start -> choose
    choose { a, b } by taste {
      first  : order a, b
      second : order b without a
      third  : keys price, name
      fourth : order
    } each -> lanes.run
    choose second { a } in order
    a.none -> run(a) as again
    choose third { a, b } in keys price
    run.ok, run.odd -fallback-> x changes { model, origin }
    run.a -loop-> x takes c
    run.b -retry-> x changes ?
    run.c -redirect-> x -resume-> y changes { a } takes c
    else -> refused(gate)
  }

  flow std.first(a, b)

  never send(any) unless target.region == eu
  never send(b) when x after send(a).lost with submitted unknown
  never a after b
  always cut(any) before send(any) when weight >= 4

  given clear = std.clear { taste first, weight 40, not available[local], tags { }, kind unknown, tags { a, b }, seen }
  given none = { }

  test "a test" clear { } => send(m) via cut(m) via x without y because m: lineage, b: c
  test "another" in x { wait 5s } {
    => send(m)
    ok => exit(ok) without cut
    lost => indeterminate
  }
}
"#;

#[test]
fn every_construct_is_printed_as_it_is_written() {
    let once = round(EVERYTHING);
    assert_eq!(once.lines().collect::<Vec<_>>(), EVERYTHING.lines().collect::<Vec<_>>());
}

#[test]
fn a_number_never_takes_the_next_name_for_its_unit() {
    round(&policy("limits t { spend 3\n s 4\n cents 5\n m 3s }"));
    round(&policy("road r : native portal { limits t { spend 3\n s 4 } }"));
    round(&policy("road r : native portal { tokens 1 in 2 out 3 total\n filters { s : a < 3\n m : b } }"));
}

#[test]
fn numbers_keep_their_extremes() {
    for n in ["9223372036854775807", "-9223372036854775808", "0", "-0", "999", "1000", "1_0_0"] {
        round(&policy(&format!("const a = {n}\nlet b = c < {n} + {n}")));
    }
}
