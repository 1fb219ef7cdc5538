import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answer, api, type Schema } from '../api/client';
import { asApiError } from '../api/error';
import { useLive } from '../api/live';
import { useSession } from '../api/session';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import type { EmailStyles } from '../logic/email-styles';
import { editorStylesQuery } from './styles-query';
import { forgetLocal, keepLocal, readLocal } from './local-draft';

export type ContentType = 'broadcast' | 'template';
export type Presence = Schema<'EditorPresenceResponse'>;
export type SavingState = 'clean' | 'changed' | 'saving' | 'saved' | 'offline' | 'refused' | 'conflict';

/** A document that is open in this tab. */
export interface OpenDocument {
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Changes when the editor has to begin anew with `content`. */
  readonly key: string;
  readonly content: JsonNode;
  readonly styles: EmailStyles | undefined;
  /** Whether there was ever a document. */
  readonly isEmpty: boolean;
  readonly isWriting: boolean;
  readonly people: readonly Presence[];
  readonly saving: SavingState;
  readonly refusal: unknown;
  readonly changed: (read: () => JsonNode) => void;
  /** Resolves once everything is on the server; throws if it was refused. */
  readonly saved: () => Promise<void>;
  readonly takeOver: () => Promise<void>;
  /** Reads the document from the server again; what this tab has is left. */
  readonly reload: () => Promise<void>;
  /** Of a conflict: keeps what this tab has as a version, and shows what the server has. */
  readonly keepAside: (name: string) => Promise<void>;
  /** Of a conflict: writes what this tab has over what the server has, which is a version by then. */
  readonly overwrite: () => Promise<void>;
  /** Writes another document, such as a template to begin with. */
  readonly replace: (content: JsonNode) => Promise<void>;
}

const emptyDocument: JsonNode = { type: 'doc', content: [] };

const calmMs = 900;
/** Nothing that was typed is older than this when it is sent. */
const latestMs = 1_900;
const heartbeatMs = 10_000;

interface Work {
  revision: number;
  read: (() => JsonNode) | undefined;
  /** What was read from the server before it was changed here. */
  changedFrom: unknown;
  /** Grows with each change. */
  version: number;
  savedVersion: number;
  changedAt: number;
  running: Promise<void> | undefined;
  retries: number;
  isStopped: boolean;
  savedAt: number;
}

/** A tab that is loaded again is another one: what it had is in the storage. */
const clientId = crypto.randomUUID();

export function useDocument(
  type: ContentType,
  id: string | undefined,
  whenSaved: () => Promise<unknown>,
): OpenDocument {
  const session = useSession();
  const [generation, setGeneration] = useState(0);
  const [override, setOverride] = useState<JsonNode>();
  const [saving, setSaving] = useState<SavingState>('clean');
  const [refusal, setRefusal] = useState<unknown>();
  const [room, setRoom] = useState<{ isWriting: boolean; people: readonly Presence[] }>({
    isWriting: false,
    people: [],
  });
  const ref = useMemo(() => ({ resource_type: type, resource_id: id ?? '' }) as const, [type, id]);
  const work = useRef<Work>({
    revision: 0,
    read: undefined,
    changedFrom: undefined,
    version: 0,
    savedVersion: 0,
    changedAt: 0,
    running: undefined,
    retries: 0,
    isStopped: false,
    savedAt: 0,
  });
  const done = useRef(whenSaved);
  done.current = whenSaved;

  const loaded = useQuery({
    queryKey: ['editor', type, id, generation],
    queryFn: () => answer(api.GET('/editor/content', { params: { query: ref } })),
    enabled: id !== undefined,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const styles = useQuery(editorStylesQuery);
  const { data } = loaded;
  const present = useRef(data);
  present.current = data;

  // A newly read document: what the tab had left behind is taken up again if it is based on the same revision.
  useEffect(() => {
    if (data === undefined || id === undefined) return;
    const local = readLocal(id);
    const now = work.current;
    Object.assign(now, {
      revision: data.revision,
      read: undefined,
      version: 0,
      savedVersion: 0,
      isStopped: false,
      retries: 0,
    });
    const server = data.content as unknown as JsonNode;
    if (local === undefined || !data.editable || isEqual(local.content, server)) {
      setOverride(undefined);
      setSaving('clean');
      return;
    }
    setOverride(local.content);
    now.read = () => local.content;
    now.version = 1;
    if (local.base === data.revision) setSaving('changed');
    else {
      now.isStopped = true;
      setSaving('conflict');
    }
  }, [data, id]);

  const save = useCallback(async (): Promise<void> => {
    const now = work.current;
    if (now.running !== undefined) await now.running.catch(() => undefined);
    if (id === undefined || now.read === undefined || now.savedVersion === now.version) return;
    if (now.isStopped) throw new Error('conflict');
    const { version } = now;
    const content = withoutNulls(now.read());
    setSaving('saving');
    const send = async (): Promise<void> => {
      const { revision } = await answer(
        api.POST('/editor/content', { body: { ...ref, content: content as never, base_revision: now.revision } }),
      );
      now.revision = revision;
      now.savedVersion = version;
      now.savedAt = Date.now();
      now.retries = 0;
    };
    now.running = send();
    try {
      await now.running;
      setRefusal(undefined);
      if (now.version === version) forgetLocal(id);
      setSaving(now.version === version ? 'saved' : 'changed');
      await done.current();
    } catch (error) {
      const { status } = asApiError(error);
      if (status === 409) {
        now.isStopped = true;
        setSaving('conflict');
      } else if (status === 0 || status >= 500 || status === 429 || status === 401) {
        now.retries++;
        setSaving('offline');
      } else setSaving('refused');
      setRefusal(error);
      throw error;
    } finally {
      now.running = undefined;
    }
  }, [id, ref]);

  // The clock of the autosave.
  useEffect(() => {
    const timer = setInterval(() => {
      const now = work.current;
      if (now.savedVersion === now.version || now.running !== undefined || now.isStopped) return;
      const age = Date.now() - now.changedAt;
      const wait = now.retries === 0 ? calmMs : Math.min(15_000, 1_000 * 2 ** now.retries);
      const sinceFirst = now.retries === 0 && Date.now() - firstUnsaved.current >= latestMs;
      if (age >= wait || sinceFirst) {
        now.changedAt = Date.now();
        void save().catch(() => undefined);
      }
    }, 250);
    const online = (): void => {
      work.current.retries = 0;
    };
    const warn = (event: BeforeUnloadEvent): void => {
      const { savedVersion, version } = work.current;
      if (savedVersion !== version) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', warn);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', warn);
      // Another page of the dashboard: what is left goes out now.
      void save().catch(() => undefined);
    };
  }, [save]);

  const firstUnsaved = useRef(0);
  const localTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changed = useCallback(
    (read: () => JsonNode): void => {
      const now = work.current;
      if (now.savedVersion === now.version) firstUnsaved.current = Date.now();
      now.read = read;
      now.changedFrom = present.current;
      now.version++;
      now.changedAt = Date.now();
      if (!now.isStopped) setSaving((known) => (known === 'offline' ? known : 'changed'));
      localTimer.current ??= setTimeout(() => {
        localTimer.current = undefined;
        if (id !== undefined && now.read !== undefined && now.savedVersion !== now.version) {
          keepLocal(id, { base: now.revision, at: Date.now(), content: withoutNulls(now.read()) });
        }
      }, 300);
    },
    [id],
  );

  const name = session?.user.name ?? session?.user.email ?? '';
  const arrive = useCallback(
    async (takesOver = false): Promise<void> => {
      if (id === undefined) return;
      const body = {
        ...ref,
        client_id: clientId,
        agent_name: name === '' ? undefined : name.slice(0, 100),
        take_over: takesOver,
      };
      const { is_writing: isWriting, present } = await answer(api.POST('/editor/connections', { body }));
      setRoom({ isWriting, people: present });
    },
    [id, name, ref],
  );

  const reload = useCallback(async (): Promise<void> => {
    if (id !== undefined) forgetLocal(id);
    setOverride(undefined);
    setGeneration((known) => known + 1);
    await done.current();
  }, [id]);

  useEffect(() => {
    if (id === undefined) return;
    void arrive().catch(() => undefined);
    const timer = setInterval(() => void arrive().catch(() => undefined), heartbeatMs);
    const leave = (): void => {
      void api
        .DELETE('/editor/connections', { body: { ...ref, client_id: clientId }, keepalive: true })
        .catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [arrive, id, ref]);

  // Who loses the pen sends what is left first.
  const wasWriting = useRef(false);
  useEffect(() => {
    if (wasWriting.current && !room.isWriting) void save().catch(() => undefined);
    wasWriting.current = room.isWriting;
  }, [room.isWriting, save]);

  useLive(({ type: event, data: told }) => {
    const names = (told.events ?? []) as readonly string[];
    if (!names.includes('editor.updated') && event !== 'ready' && event !== 'reload') return;
    const now = work.current;
    // What this tab has just written itself is told as well.
    if (id === undefined || now.running !== undefined || Date.now() - now.savedAt < 3_000) return;
    void arrive().catch(() => undefined);
    void answer(api.GET('/editor/content', { params: { query: ref } })).then(
      ({ revision }) => {
        if (revision <= work.current.revision || work.current.running !== undefined) return;
        // Nothing of this tab is lost where it has nothing that is not saved.
        if (now.savedVersion === now.version) void reload();
        else if (!now.isStopped) void save().catch(() => undefined);
      },
      () => undefined,
    );
  });

  // A canvas that is shown again starts with what was written last, not with what was read first.
  const { read, changedFrom } = work.current;
  const written = data !== undefined && changedFrom === data ? read?.() : undefined;
  const content = written ?? override ?? (data?.content as unknown as JsonNode | undefined) ?? emptyDocument;
  const isEditable = data?.editable === true;
  return {
    isLoading: data === undefined || styles.data === undefined,
    error: loaded.error ?? styles.error,
    key: `${id ?? ''} ${generation} ${override === undefined ? '' : 'local'} ${loaded.dataUpdatedAt}`,
    content,
    styles: styles.data?.complete as EmailStyles | undefined,
    isEmpty: (data?.content as { content?: unknown[] } | undefined)?.content?.length === 0,
    isWriting: room.isWriting && isEditable && saving !== 'conflict',
    people: room.people,
    saving,
    refusal,
    changed,
    saved: save,
    takeOver: async () => {
      await arrive(true);
      // The other tab hears of it within a second, and sends what it has left.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await reload();
    },
    reload,
    keepAside: async (title) => {
      const { read: readNow } = work.current;
      if (readNow !== undefined) {
        await answer(
          api.POST('/editor/versions', { body: { ...ref, name: title, content: withoutNulls(readNow()) as never } }),
        );
      }
      await reload();
    },
    overwrite: async () => {
      const { read: readNow } = work.current;
      if (readNow === undefined) return;
      const body = { ...ref, content: withoutNulls(readNow()) as never };
      await answer(api.POST('/editor/content', { body }));
      await reload();
    },
    replace: async (other) => {
      await answer(api.POST('/editor/content', { body: { ...ref, content: withoutNulls(other) as never } }));
      await reload();
    },
  };
}

function isEqual(one: JsonNode, other: JsonNode): boolean {
  return JSON.stringify(withoutNulls(one)) === JSON.stringify(withoutNulls(other));
}
