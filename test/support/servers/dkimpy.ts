import { execFile, execFileSync } from 'node:child_process';

const script = `
import json, sys, dkim
request = json.load(sys.stdin)
records = {name.lower(): text.encode() for name, text in request["records"].items()}
def look(name, timeout=5):
    return records.get(name.decode().rstrip(".").lower())
message = request["message"].encode("latin1")
if request["what"] == "dkim":
    signature = dkim.DKIM(message)
    passed = signature.verify(dnsfunc=look)
    print(json.dumps([passed, [name.decode().lower() for name in signature.include_headers]]))
else:
    verdict, results, reason = dkim.ARC(message).verify(dnsfunc=look)
    print(verdict.decode(), reason)
`;

/** Debian's package is for Debian's own Python, which may not be the first in PATH. */
const python = ['python3', '/usr/bin/python3'].find((candidate) => {
  try {
    execFileSync(candidate, ['-c', 'import dkim'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

/** Undefined if dkimpy is not installed: the check that needs it is then left out, with that reason. */
export const dkimpy = python === undefined ? undefined : { verifyArc, verifyDkim };

type Records = Readonly<Record<string, string>>;

/** The verdict of dkimpy on the chain of ARC seals, and its reason. */
function verifyArc(message: Uint8Array, records: Records): Promise<string> {
  return asked('arc', message, records);
}

/** Whether dkimpy accepts the first signature, and the names of the fields that this signature covers. */
async function verifyDkim(message: Uint8Array, records: Records): Promise<[passed: boolean, signedFields: string[]]> {
  return JSON.parse(await asked('dkim', message, records)) as [boolean, string[]];
}

function asked(what: 'arc' | 'dkim', message: Uint8Array, records: Records): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(python ?? '', ['-c', script], (error, stdout, stderr) =>
      error === null ? resolve(stdout.trim()) : reject(new Error(stderr)),
    );
    child.stdin?.end(JSON.stringify({ what, message: Buffer.from(message).toString('latin1'), records }));
  });
}
