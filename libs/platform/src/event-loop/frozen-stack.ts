import { Debugger, Session } from 'node:inspector';

/** Frames of a stack that are kept, the innermost first. */
const maxFrames = 20;

/**
 * What the main thread is executing, one line a frame. For a worker thread only.
 *
 * The inspector is connected for this moment and opens no port. The pause takes effect at the next JavaScript statement: of
 * a regular expression or a native call that is where it returns to, which names its caller. Tried with Node 20, 22 and 24.
 * `isStillFrozen` is asked once the thread has paused; where the freeze has ended, whatever it executes then is innocent.
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
