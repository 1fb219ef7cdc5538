import { execFile, execFileSync } from 'node:child_process';

const script = `
import json, sys, dkim
request = json.load(sys.stdin)
records = {name.lower(): text.encode() for name, text in request["records"].items()}
def look(name, timeout=5):
    return records.get(name.decode().rstrip(".").lower())
verdict, results, reason = dkim.ARC(request["message"].encode("latin1")).verify(dnsfunc=look)
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

/** Undefined where dkimpy is not installed: the check that needs it is then left out, with that reason. */
export const dkimpy = python === undefined ? undefined : { verifyArc };

/** The verdict of dkimpy on the chain of ARC seals, and its reason. */
function verifyArc(message: Uint8Array, records: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(python ?? '', ['-c', script], (error, stdout, stderr) =>
      error === null ? resolve(stdout.trim()) : reject(new Error(stderr)),
    );
    child.stdin?.end(JSON.stringify({ message: Buffer.from(message).toString('latin1'), records }));
  });
}
