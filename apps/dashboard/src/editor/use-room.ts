import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answer, api, type Schema } from '../api/client';
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
  readonly isWriting: boolean;
  readonly people: readonly Presence[];
  /** Tells the others where the caret is. */
  readonly point: (cursor: Cursor) => void;
  /** Asks who is there, and for the revision. */
  readonly look: () => void;
}

export interface ContentReference {
  readonly resource_type: 'broadcast' | 'template';
  readonly resource_id: string;
}

/** Without a call for half a minute the service takes it that the tab is gone. */
const heartbeatMs = 10_000;
const gapMs = 400;
const maxNameLength = 100;

/** A tab that is loaded again is another one: what it had is in the storage. */
const clientId = crypto.randomUUID();

/** @param seen is told of the revision that the service has */
export function useRoom(ref: ContentReference | undefined, seen: (revision: number) => void): Room {
  const session = useSession();
  const name = (session?.user.name ?? session?.user.email ?? '').slice(0, maxNameLength);
  const [room, setRoom] = useState<Pick<Room, 'isWriting' | 'people'>>({ isWriting: false, people: [] });
  const latest = useRef(seen);
  latest.current = seen;
  const cursor = useRef<Cursor>(undefined);
  const calls = useRef({
    isWanted: false,
    isUnderway: false,
    at: 0,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  });

  const arrive = useCallback(async (): Promise<void> => {
    if (ref === undefined) return;
    const body = { ...ref, client_id: clientId, ...(name === '' ? {} : { agent_name: name }), cursor: cursor.current };
    const answered = await answer(api.POST('/editor/connections', { body }));
    setRoom((known) => {
      const now = { isWriting: answered.is_writing, people: answered.present };
      return lookOf(known) === lookOf(now) ? known : now;
    });
    latest.current(answered.revision);
  }, [name, ref]);

  const look = useCallback((): void => {
    const now = calls.current;
    now.isWanted = true;
    if (now.isUnderway) return;
    now.isUnderway = true;
    const next = async (): Promise<void> => {
      now.isWanted = false;
      now.timer = undefined;
      now.at = Date.now();
      await arrive().catch(() => undefined);
      now.isUnderway = false;
      if (now.isWanted) look();
    };
    now.timer = setTimeout(() => void next(), Math.max(0, now.at + gapMs - Date.now()));
  }, [arrive]);

  useEffect(() => {
    if (ref === undefined) return;
    look();
    const timer = setInterval(look, heartbeatMs);
    const leave = (): void => {
      void api
        .DELETE('/editor/connections', { body: { ...ref, client_id: clientId }, keepalive: true })
        .catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      // A call that comes later would bring back who has left.
      const now = calls.current;
      if (now.timer !== undefined) now.isUnderway = false;
      clearTimeout(now.timer);
      now.timer = undefined;
      now.isWanted = false;
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [look, ref]);

  useLive(({ type: event, data }) => {
    const names = (data.events ?? []) as readonly string[];
    if (names.includes('editor.updated') || event === 'ready' || event === 'reload') look();
  });

  const isAlone = room.people.length < 2;
  const point = useCallback(
    (now: Cursor): void => {
      const { anchor, head } = cursor.current ?? {};
      cursor.current = now;
      if (!isAlone && (anchor !== now.anchor || head !== now.head)) look();
    },
    [isAlone, look],
  );
  return useMemo(() => ({ ...room, point, look }), [room, point, look]);
}

/** All of it that is shown. */
function lookOf({ isWriting, people }: Pick<Room, 'isWriting' | 'people'>): string {
  return JSON.stringify([isWriting, people.map(({ seen_at: _, ...shown }) => shown)]);
}
