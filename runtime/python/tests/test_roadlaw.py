"""The wheel as its users have it, held against the program: same tables, same facts, same decisions."""

import json
import os
import pathlib
import random
import subprocess

import pytest
import roadlaw

TABLES = pathlib.Path(os.environ["ROADLAW_TABLES"])


def table(name):
    return roadlaw.Table.load(TABLES / f"{name}.table")


def decide(name, facts):
    """What the program decides of the same facts."""
    out = subprocess.run(
        [os.environ["ROADLAW"], "decide", str(TABLES / f"{name}.table"), "--facts", "-", "--format", "json"],
        input=json.dumps(facts),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(out.stdout)


def test_a_decision_and_its_reasons():
    t = table("pick-model")
    assert t.policy == "app.pick@1"
    assert len(t.digest) == 64
    assert t.roads == ["small", "big"]
    assert t.facts == ["tier", "private", "up[small]", "up[big]"]
    facts = t.tell({"tier": "pro", "private": False, "up[big]": True, "up[small]": True})
    assert t.choose(facts).road == "big"
    facts["private"] = True
    decision = t.choose(facts)
    assert (decision.road, decision.closed) == ("small", {"big": "clean"})
    facts["up[small]"] = None
    decision = t.choose(facts, choose="choose")
    assert (decision.road, decision.exit) == (None, "pending_no_road")
    assert decision.closed == {"small": "up", "big": "clean"}


def test_nothing_known_opens_nothing():
    for name in ["pick-model", "first-eligible", "review"]:
        t = table(name)
        assert t.choose(t.tell()).road is None, name


def draw(rng, name):
    """Facts as a caller may have them: each unknown, or one of its values."""
    words = {
        "tier": ["free", "pro"],
        "labels": [[], ["client"], ["personal", "secret"]],
        "login": ["absent", "declared", "present", "probed", "attested"],
        "class": ["public", "internal", "private", "restricted"],
        "assurance": ["low", "medium", "high"],
        "weight": [0, 39, 40, 100],
        "price": [0, 7, 1000],
        "taste": ["quick", "thorough", "no_paid"],
    }
    # What these say opens a road if it is false, or true; each is most often as it should be.
    no = {"prohibited", "local_only", "revoked", "expired"}
    facts = {}
    for fact in table(name).facts:
        family = fact.split("[")[0]
        if rng.random() < 0.04:
            continue
        if family in words:
            pick = rng.choice(words[family]) if rng.random() < 0.5 else words[family][-1 if family == "login" else 0]
            facts[fact] = pick
        else:
            facts[fact] = (family not in no) == (rng.random() < 0.95)
    return facts


@pytest.mark.parametrize("name", ["pick-model", "first-eligible", "review"])
def test_the_program_decides_the_same(name):
    rng = random.Random(7)
    t = table(name)
    facts = t.tell()
    roads = set()
    for _ in range(60):
        given = draw(rng, name)
        # Facts are kept and changed.
        for fact in t.facts:
            facts[fact] = given.get(fact)
        decision = t.choose(facts)
        first = decide(name, given)["chooses"]
        if first:
            candidates = first[0]["candidates"]
            chosen = [c["road"] for c in candidates if c["status"] == "chosen"]
            assert [decision.road] == (chosen or [None]), given
            closed = {c["road"] for c in candidates if c["status"] == "closed"}
            assert set(decision.closed) == closed, given
        roads.add(decision.road)
    assert len(roads) >= 2, roads


def test_a_run_goes_to_its_end():
    t = table("first-eligible")
    facts = t.tell({"labels": set(), "available[llama]": True, "lineage": True, "prohibited": False})
    run = t.run()
    with pytest.raises(roadlaw.RunError, match="outcome"):
        run.advance("adopted", facts)
    nodes = [run.node]
    ended = False
    while not ended:
        facts.epoch = run.epoch
        step = run.advance("ok", facts)
        nodes.append(step.node)
        if step.obligations and not step.ended:
            with pytest.raises(roadlaw.RunError, match="not acknowledged"):
                run.advance("ok", facts)
        run.acknowledge(*step.obligations)
        ended = step.ended
    assert nodes[0] == "start" and nodes[-1] == "done" and "call(llama)" in nodes
    with pytest.raises(roadlaw.RunError, match="ended"):
        run.advance("ok", facts)
    with pytest.raises(roadlaw.RunError, match="stale attempt"):
        run.advance("ok", facts, generation=run.generation - 1)
    # A run remembers, and a choose can be asked with what it remembers.
    assert t.choose(facts, run=run).road == "llama"


def test_what_is_no_table_is_refused():
    good = (TABLES / "pick-model.table").read_bytes()
    for bad in [b"", good[:-1], good[:300] + bytes([good[300] ^ 1]) + good[301:]]:
        with pytest.raises(roadlaw.TableError):
            roadlaw.Table(bad)
    with pytest.raises(roadlaw.TableError, match="without --strip"):
        table("stripped")
    with pytest.raises(FileNotFoundError):
        roadlaw.Table.load(TABLES / "nothing.table")
    with pytest.raises(roadlaw.TableError, match="no such choose"):
        t = table("pick-model")
        t.choose(t.tell(), choose="second")


def test_what_is_no_fact_is_refused_and_stays_unknown():
    t = table("first-eligible")
    facts = t.tell({"available[llama]": True, "labels": []})
    assert t.choose(facts).road == "llama"
    for fact, value in [
        ("availible[llama]", True),
        ("tried[llama]", False),
        ("weight", 101),
        ("weight", True),
        ("weight", 2**40),
        ("labels", "client"),
        ("labels", {"clients"}),
        ("login[gpt]", "root"),
        ("login[gpt]", 3),
        ("available[llama]", 1),
    ]:
        with pytest.raises(roadlaw.FactsError):
            facts[fact] = value
    # The last one was refused: its fact is unknown now, not what it was before.
    assert t.choose(facts).road is None
    with pytest.raises(roadlaw.FactsError, match="another table"):
        table("pick-model").choose(facts)
    with pytest.raises(KeyError):
        del facts["nothing"]
    del facts["labels"]
