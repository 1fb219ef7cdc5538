import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answer, api, type Schema } from '../api/client';
import { asApiError, isUnanswered } from '../api/error';
import { useLive } from '../api/live';
import { useSession } from '../api/session';

export type Presence = Schema<'EditorPresenceResponse'>;

/** Positions in the document. */
export interface Cursor {
  readonly anchor: number;
  readonly head: number;
}

/** Who has the content open. */
export interface Room {
  /** Whether this tab may write. */
  readonly mayWrite: boolean;
  readonly people: readonly Presence[];
  /** Tells the others where the caret is. */
  readonly point: (cursor: Cursor) => void;
  /** Tells the service that this tab is here and where its caret is; the answer says who else is. */
  readonly announce: () => void;
}

export interface ContentReference {
  readonly resource_type: 'broadcast' | 'template';
  readonly resource_id: string;
}

/** Without a call for half a minute the service takes it that the tab is gone. */
const heartbeatMs = 10_000;
const gapMs = 400;
/** A call without an answer is repeated after this long, then after twice as long, and after the last by the heartbeat. */
const retryMs = 500;
const maxRetries = 4;
const maxNameLength = 100;

/** A tab that is loaded again is another one: what it had is in the storage. */
const clientId = crypto.randomUUID();

/** @param seen is told of the revision that the service has */
export function useRoom(reference: ContentReference | undefined, seen: (revision: number) => void): Room {
  const session = useSession();
  const name = (session?.user.name ?? session?.user.email ?? '').slice(0, maxNameLength);
  const [room, setRoom] = useState<Pick<Room, 'mayWrite' | 'people'>>({ mayWrite: false, people: [] });
  const latest = useRef(seen);
  latest.current = seen;
  const cursorRef = useRef<Cursor>(undefined);
  const callsRef = useRef({
    isWanted: false,
    isUnderway: false,
    isHere: false,
    at: 0,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    failures: 0,
    retry: undefined as ReturnType<typeof setTimeout> | undefined,
  });

  const arrive = useCallback(async (): Promise<void> => {
    if (reference === undefined) return;
    const body = {
      ...reference,
      client_id: clientId,
      ...(name === '' ? {} : { agent_name: name }),
      cursor: cursorRef.current,
    };
    const answered = await answer(api.POST('/editor/connections', { body }));
    setRoom((known) => {
      const next = { mayWrite: answered.is_writing, people: answered.present };
      return shownOf(known) === shownOf(next) ? known : next;
    });
    latest.current(answered.revision);
  }, [name, reference]);

  const announce = useCallback((): void => {
    const calls = callsRef.current;
    calls.isWanted = true;
    if (calls.isUnderway) return;
    calls.isUnderway = true;
    const next = async (): Promise<void> => {
      calls.isWanted = false;
      calls.timer = undefined;
      clearTimeout(calls.retry);
      calls.at = Date.now();
      const hasFailed = await arrive().then(
        () => false,
        (error: unknown) => isUnanswered(asApiError(error).status),
      );
      calls.failures = hasFailed ? calls.failures + 1 : 0;
      calls.isUnderway = false;
      if (calls.isWanted) announce();
      // Nothing can be written before an answer has come.
      else if (hasFailed && calls.isHere && calls.failures <= maxRetries)
        calls.retry = setTimeout(announce, retryMs * 2 ** (calls.failures - 1));
    };
    calls.timer = setTimeout(() => void next(), Math.max(0, calls.at + gapMs - Date.now()));
  }, [arrive]);

  useEffect(() => {
    if (reference === undefined) return;
    callsRef.current.isHere = true;
    announce();
    const timer = setInterval(announce, heartbeatMs);
    const leave = (): void => {
      void api
        .DELETE('/editor/connections', { body: { ...reference, client_id: clientId }, keepalive: true })
        .catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      // A call that comes later would bring back who has left.
      const calls = callsRef.current;
      if (calls.timer !== undefined) calls.isUnderway = false;
      clearTimeout(calls.timer);
      calls.timer = undefined;
      clearTimeout(calls.retry);
      calls.isWanted = false;
      calls.isHere = false;
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [announce, reference]);

  useLive(({ type: event, data }) => {
    const names = (data.events ?? []) as readonly string[];
    if (names.includes('editor.updated') || event === 'ready' || event === 'reload') announce();
  });

  const isAlone = room.people.length < 2;
  const point = useCallback(
    (cursor: Cursor): void => {
      const { anchor, head } = cursorRef.current ?? {};
      cursorRef.current = cursor;
      if (!isAlone && (anchor !== cursor.anchor || head !== cursor.head)) announce();
    },
    [isAlone, announce],
  );
  return useMemo(() => ({ ...room, point, announce }), [room, point, announce]);
}

/** All of it that is shown. */
function shownOf({ mayWrite, people }: Pick<Room, 'mayWrite' | 'people'>): string {
  return JSON.stringify([mayWrite, people.map(({ seen_at: _, ...shown }) => shown)]);
}
