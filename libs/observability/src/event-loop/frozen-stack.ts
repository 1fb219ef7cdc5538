import { Debugger, Session } from 'node:inspector';

/** Maximum number of stack frames, the innermost first. */
const maxFrames = 20;

/**
 * Reads the stack of the main thread, one line per frame. May be called only in a worker thread.
 *
 * The inspector is connected only for this call and opens no port. The main thread pauses at its next JavaScript
 * statement. For a regular expression or a native call, that is the statement after it, which shows the caller. Tested
 * with Node 20, 22 and 24. `isStillFrozen` is called once the thread has paused. Where the freeze has ended, the stack
 * is empty, because the code that runs then did not cause it.
 */
export function readFrozenStack(isStillFrozen: () => boolean, found: (stack: readonly string[]) => void): void {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    session.post('Debugger.resume');
    session.post('Debugger.disable', () => session.disconnect());
    found(isStillFrozen() ? params.callFrames.slice(0, maxFrames).map((frame) => lineOf(frame, urls)) : []);
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function lineOf(frame: Debugger.CallFrame, urls: ReadonlyMap<string, string>): string {
  const { scriptId, lineNumber, columnNumber = 0 } = frame.location;
  const place = frame.url === '' ? (urls.get(scriptId) ?? '') : frame.url;
  return `${frame.functionName === '' ? '(anonymous)' : frame.functionName} (${place}:${lineNumber + 1}:${columnNumber + 1})`;
}
