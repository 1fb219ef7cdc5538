#!/usr/bin/env python3
"""Verifies a document of `npm run prove`: its Ed25519 signature, and that its figures follow from each other.

    python3 scripts/verify-proof.py FILE [--expect-key BASE64]

It shares no code with the program that made the document, and needs the `openssl` command (3.0 or newer). Without
--expect-key the signature proves only that nothing was changed since the holder of the key in the document signed it.
"""
import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile

MEASURED = ("emails_per_second", "cpu_ms_per_email", "cpu_ms_per_email_without_signature")


class Wrong(Exception):
    """The sentence that says what is wrong."""


def without_repetition(members):
    """Another reader may take the first of two members with the same name, and this one would check the last."""
    names = [name for name, _ in members]
    require(len(names) == len(set(names)), "A name stands twice in one object")
    return dict(members)


def require(holds, sentence):
    if not holds:
        raise Wrong(sentence)


def equal(name, stated, expected):
    """Figures have three decimals."""
    require(stated is not None and abs(stated - expected) <= 0.000501, f"{name} is {stated}, but should be {expected:.3f}")


def canonical(value):
    """RFC 8785, for names in ASCII and numbers that need no exponent."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check_signature(proof, expected_key):
    key = proof["public_key"]
    require(expected_key in (None, key), f"The document is signed with the key {key}, not with the expected one")
    unsigned = {name: value for name, value in proof.items() if name != "signature"}
    lines = "\n".join(key[at : at + 64] for at in range(0, len(key), 64))
    pem = f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n"
    contents = {"key": pem.encode(), "signature": base64.b64decode(proof["signature"]), "text": canonical(unsigned)}
    with tempfile.TemporaryDirectory() as directory:
        files = {name: os.path.join(directory, name) for name in contents}
        for name, content in contents.items():
            with open(files[name], "wb") as file:
                file.write(content)
        command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", files["key"]]
        command += ["-sigfile", files["signature"], "-in", files["text"]]
        verified = subprocess.run(command, capture_output=True, text=True)
    require(verified.returncode == 0, "The signature does not belong to this document: it was changed after it was signed")


def check_counts(name, counts):
    lost = counts["accepted"] - counts["received_accepted"]
    require(counts["lost"] == lost, f"{name}: {counts['lost']} emails are said to be lost, but {lost} were")
    require(counts["accepted"] <= counts["sent"], f"{name}: more emails were accepted than sent")
    distinct = counts["received_distinct"]
    require(counts["received_accepted"] <= distinct <= counts["sent"], f"{name}: received_distinct cannot be {distinct}")
    copies = counts["received"] - distinct
    repeated = counts["repeated"]
    possible = 0 <= repeated <= min(copies, distinct) and (repeated > 0) == (copies > 0)
    require(possible, f"{name}: {repeated} emails cannot be repeated with {copies} copies")


def check_speed_round(name, figures, system, machine):
    check_counts(name, figures["counts"])
    emails, seconds, signer = figures["emails"], figures["seconds"], system["signer"]
    require(emails == figures["counts"]["accepted"], f"{name}: {emails} emails, but others were accepted")
    equal(f"{name}: emails_per_second", figures["emails_per_second"], emails / seconds)
    equal(f"{name}: emails_per_second_per_core", figures["emails_per_second_per_core"], emails / seconds / machine["cores"])
    for form, signature in (("cpu_ms_per_email", 0), ("cpu_ms_per_email_without_signature", machine["rsa2048_signature_ms"])):
        # Only Linux says how much CPU a process has used.
        if None in figures["cpu_seconds"].values():
            continue
        parts = {of: spent * 1000 / emails for of, spent in figures["cpu_seconds"].items()}
        parts[signer] -= signature
        parts["total"] = sum(parts.values())
        require(parts.keys() == figures[form].keys(), f"{name}: {form} names other processes than cpu_seconds")
        for process, value in parts.items():
            equal(f"{name}: {form} of {process}", figures[form][process], value)


def median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def check_system(name, system, proof):
    settings = proof["settings"]
    speed, killed = system["speed_rounds"], system["kill_rounds"]
    require(len(speed) == len(killed) == settings["rounds"], f"{name}: not every round is in the document")
    check_counts(f"{name}, warm-up", system["warm_up"])
    for number, figures in enumerate(speed, 1):
        check_speed_round(f"{name}, speed round {number}", figures, system, proof["machine"])
        require(figures["emails"] == settings["emails"], f"{name}, speed round {number}: not as many emails as set")
    for number, figures in enumerate(killed, 1):
        check_counts(f"{name}, kill round {number}", figures["counts"])
        require(figures["counts"]["accepted"] == settings["emails"], f"{name}, kill round {number}: not as many emails as set")
    for form in MEASURED:
        values = [of[form] if form == "emails_per_second" else of[form]["total"] for of in speed]
        if None not in values:
            equal(f"{name}: the median of {form}", system["medians"][form], median(values))
    totals = system["totals"]
    check_counts(f"{name}, totals", totals)
    rounds = [system["warm_up"]] + [of["counts"] for of in speed + killed]
    for count in system["warm_up"]:
        expected = sum(of[count] for of in rounds)
        require(totals[count] == expected, f"{name}: the rounds have {expected} {count} in all, not {totals[count]}")
    for process in ("server", "postgres"):
        kills = sum(kill["process"] == process for of in killed for kill in of["kills"])
        require(totals[f"{process}_kills"] == kills, f"{name}: the rounds have {kills} kills of the {process}")


def check_ratio(proof):
    own, other = proof["systems"]["postrider"], proof["systems"]["postfix_opendkim"]
    if other is None:
        require(proof["ratio"] is None and proof["why_no_postfix"], "Postfix is missing without a reason")
        return
    for form in MEASURED:
        if None not in (own["medians"][form], other["medians"][form]):
            equal(f"ratio of {form}", proof["ratio"][form], own["medians"][form] / other["medians"][form])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--expect-key", metavar="BASE64", help="the public_key that the document has to be signed with")
    options = parser.parse_args()
    try:
        with open(options.file, encoding="utf-8") as file:
            proof = json.load(file, object_pairs_hook=without_repetition)
        require(proof["format"] == "postrider-proof/1", f"The format {proof['format']} is unknown")
        check_signature(proof, options.expect_key)
        for name, system in proof["systems"].items():
            if system is not None:
                check_system(name, system, proof)
        check_ratio(proof)
    except Wrong as error:
        sys.exit(str(error))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        sys.exit(f"The document cannot be read: {error!r}")
    lost = proof["systems"]["postrider"]["totals"]["lost"]
    print(f"The signature and the figures are right. Postrider lost {lost} accepted emails. Signed with {proof['public_key']}")


main()
