import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { answer, api } from '../api/client';
import { ApiError, asApiError, isUnanswered } from '../api/error';
import { withoutNulls, type JsonNode } from '../logic/document-json';
import type { EmailStyles } from '../logic/email-styles';
import { inTurn, isSaveDue, paceAlone, paceTogether, workOn, type Canvas } from './document-work';
import { forgetLocal, keepLocal, readLocal } from './local-draft';
import { readContent, type Content } from './read-content';
import { editorStylesQuery } from './styles-query';
import { useRoom, type ContentReference, type Presence, type Room } from './use-room';

export type ContentType = ContentReference['resource_type'];
export type SavingState = 'clean' | 'changed' | 'saving' | 'saved' | 'offline' | 'refused' | 'conflict';

/** A document that is open in this tab. Others may write at the same time: what they save is merged into it. */
export interface OpenDocument {
  readonly isLoading: boolean;
  readonly error: unknown;
  /** When it changes, the canvas is rebuilt from `read()`. */
  readonly key: string;
  readonly read: () => JsonNode;
  readonly styles: EmailStyles | undefined;
  /** Whether there was ever a document. */
  readonly isEmpty: boolean;
  /** Whether this tab may write. */
  readonly mayWrite: boolean;
  readonly people: readonly Presence[];
  readonly room: Room;
  readonly saving: SavingState;
  readonly refusal: unknown;
  readonly attach: (canvas: Canvas | undefined) => void;
  readonly changed: () => void;
  /** Sends what is unsaved at this moment. Throws if it was refused, unanswered or conflicts. */
  readonly saveNow: () => Promise<void>;
  /** Reads the document from the server again; what this tab has is left. */
  readonly reload: () => Promise<void>;
  /** Of a conflict: keeps what this tab has as a version, and shows what the server has. */
  readonly keepAside: (name: string) => Promise<void>;
  /** Of a conflict: writes what this tab has over what the server has, which is a version by then. */
  readonly overwrite: () => Promise<void>;
  /** Writes another document, such as a template to begin with. */
  readonly replace: (content: JsonNode) => Promise<void>;
}

/** What the service has cannot be merged with what this tab has: somebody decides in the banner. */
class ConflictError extends ApiError {
  constructor() {
    super(409, 'conflict', i18next.t('editor:conflict.text'));
  }
}

const emptyDocument: JsonNode = { type: 'doc', content: [] };

const keepLocalMs = 400;
/** Tries of one save while others keep saving. */
const maxTries = 12;
/** Contents that are remembered because no answer came. An older one would have been seen before the next was sent. */
const maxUnanswered = 3;

export function useDocument(
  type: ContentType,
  id: string | undefined,
  whenSaved: () => Promise<unknown>,
): OpenDocument {
  const [generation, setGeneration] = useState(0);
  const [opened, setOpened] = useState<{ readonly key: string; readonly isEmpty: boolean }>();
  const [saving, setSaving] = useState<SavingState>('clean');
  const [refusal, setRefusal] = useState<unknown>();
  // Counted to render again after a merge, since `work` is a ref.
  const [, setMerges] = useState(0);
  const reference = useMemo(
    () => (id === undefined ? undefined : { resource_type: type, resource_id: id }),
    [type, id],
  );
  const workRef = useRef(workOn(emptyDocument, 0));
  const done = useRef(whenSaved);
  done.current = whenSaved;

  const loaded = useQuery({
    queryKey: ['editor', type, id, generation],
    queryFn: () => readContent(reference as ContentReference),
    enabled: reference !== undefined,
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const styles = useQuery(editorStylesQuery);
  const { data } = loaded;

  // A newly read document. What this tab had left behind, when it crashed or was offline, is merged into it.
  useEffect(() => {
    if (data === undefined || id === undefined) return;
    let isOver = false;
    void takenUp(data, id).then(({ content, state }) => {
      if (isOver) return;
      const fresh = workOn(data.content as unknown as JsonNode, data.revision);
      workRef.current = {
        ...fresh,
        canvas: workRef.current.canvas,
        read: () => content,
        isStopped: state === 'conflict',
      };
      if (state !== 'clean') workRef.current.version = 1;
      setSaving(state);
      setOpened({
        key: `${id} ${generation} ${data.revision}`,
        isEmpty: (data.content as { content?: unknown[] }).content?.length === 0,
      });
    });
    return () => {
      isOver = true;
    };
  }, [data, id, generation]);

  /**
   * Puts what the service has into what this tab has. False if that cannot be done.
   * @param refused what the service did not take just now
   */
  const merge = useCallback(async (fresh: Content, refused?: JsonNode): Promise<boolean> => {
    if (!isMergeable(fresh)) return false;
    const { mergedDocument, originOf } = await import('./merge');
    await workRef.current.canvas?.calm();
    const work = workRef.current;
    const theirs = fresh.content as unknown as JsonNode;
    try {
      // A browser sends again by itself if a connection breaks: the first of the two was stored, and the second refused.
      const isOwn = refused !== undefined && isEqual(refused, theirs);
      const base = isOwn ? refused : originOf(theirs, [work.base, ...work.sent]);
      if (work.canvas === undefined) {
        const merged = mergedDocument(base, work.read(), theirs);
        work.read = () => merged;
      } else work.canvas.take(base, theirs);
    } catch {
      return false;
    }
    Object.assign(work, { base: theirs, revision: fresh.revision, sent: [], isUncertain: false });
    setMerges((count) => count + 1);
    return true;
  }, []);

  const keep = useCallback((): void => {
    const { read, version, savedVersion, revision, base, sent } = workRef.current;
    if (id === undefined || savedVersion === version) return;
    void keepLocal(id, { at: Date.now(), revision, base, sent, content: read() });
  }, [id]);

  /** Sends what is unsaved. What others have saved in between is merged first. */
  const send = useCallback(async (): Promise<void> => {
    const work = workRef.current;
    const mergeOrStop = async (fresh: Content, refused?: JsonNode): Promise<void> => {
      if (await merge(fresh, refused)) return;
      work.isStopped = true;
      throw new ConflictError();
    };
    for (let tries = 1; ; tries++) {
      if (work.isUncertain) {
        const fresh = await readContent(reference as ContentReference);
        if (fresh.revision > work.revision) await mergeOrStop(fresh);
        work.isUncertain = false;
      }
      const { version } = work;
      const content = work.read();
      const { sent } = work;
      work.sent = [...sent, content].slice(-maxUnanswered);
      keep();
      try {
        const body = { ...(reference as ContentReference), content: content as never, base_revision: work.revision };
        const { revision } = await answer(api.POST('/editor/content', { body }));
        Object.assign(work, { revision, base: content, sent: [], savedVersion: version, retries: 0 });
        if (work.version > version) work.unsavedSince = Date.now();
        return;
      } catch (error) {
        const { status } = asApiError(error);
        if (isUnanswered(status)) work.isUncertain = true;
        else work.sent = sent;
        if (status !== 409 || tries === maxTries) throw error;
        await mergeOrStop(await readContent(reference as ContentReference), content);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40 * tries));
      }
    }
  }, [keep, merge, reference]);

  const save = useCallback(async (): Promise<void> => {
    const work = workRef.current;
    try {
      const isSent = await inTurn(work, async () => {
        if (id === undefined || work.savedVersion === work.version) return false;
        if (work.isStopped) throw new ConflictError();
        setSaving('saving');
        await send();
        return true;
      });
      if (id === undefined || !isSent) return;
      setRefusal(undefined);
      const isAll = work.version === work.savedVersion;
      if (isAll) void forgetLocal(id);
      setSaving(isAll ? 'saved' : 'changed');
      await done.current();
    } catch (error) {
      const { status } = asApiError(error);
      if (work.isStopped) setSaving('conflict');
      // Others saved each time: the clock tries again.
      else if (status === 409) {
        Object.assign(work, { changedAt: Date.now(), unsavedSince: Date.now() });
        setSaving('changed');
      } else if (isUnanswered(status) || status === 429 || status === 401) {
        Object.assign(work, { retries: work.retries + 1, failedAt: Date.now() });
        setSaving('offline');
      } else {
        Object.assign(work, { refusedVersion: work.version, unsavedSince: Date.now() });
        setSaving('refused');
      }
      setRefusal(error);
      throw error;
    }
  }, [id, send]);

  const reload = useCallback(async (): Promise<void> => {
    if (id !== undefined) void forgetLocal(id);
    setOpened(undefined);
    setGeneration((known) => known + 1);
    await done.current();
  }, [id]);

  /** Somebody else saved. */
  const catchUp = useCallback(async (): Promise<void> => {
    const work = workRef.current;
    const fresh = await readContent(reference as ContentReference);
    if (fresh.revision <= work.revision || work !== workRef.current) return;
    const isSaved = work.savedVersion === work.version;
    if (isSaved && fresh.editable && isEqual(work.base, fresh.content as unknown as JsonNode)) {
      // HTML was written by hand. The document is as it was, and so is a dialog that is open above it.
      work.revision = fresh.revision;
      await done.current();
    } else if (await merge(fresh)) await done.current();
    else if (isSaved) await reload();
    else work.isStopped = true;
  }, [merge, reference, reload]);

  const room = useRoom(reference, (revision) => {
    const work = workRef.current;
    if (opened === undefined || work.isStopped || revision <= work.revision) return;
    const next = async (): Promise<void> => {
      if (work === workRef.current && revision > work.revision && !work.isStopped) await catchUp();
      if (work.isStopped) setSaving('conflict');
    };
    void inTurn(work, next).catch(() => undefined);
  });
  const pace = room.people.filter(({ kind }) => kind === 'person').length > 1 ? paceTogether : paceAlone;

  // The clock of the autosave.
  useEffect(() => {
    const timer = setInterval(() => {
      if (isSaveDue(workRef.current, pace)) void save().catch(() => undefined);
    }, 100);
    const online = (): void => {
      workRef.current.retries = 0;
    };
    const warn = (event: BeforeUnloadEvent): void => {
      const { savedVersion, version } = workRef.current;
      if (savedVersion !== version) event.preventDefault();
    };
    window.addEventListener('online', online);
    window.addEventListener('beforeunload', warn);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', online);
      window.removeEventListener('beforeunload', warn);
    };
  }, [pace, save]);

  // Another page of the dashboard: what is left goes out now.
  useEffect(() => () => void save().catch(() => undefined), [save]);

  const localTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changed = useCallback((): void => {
    const work = workRef.current;
    if (work.savedVersion === work.version) {
      work.unsavedSince = Date.now();
      if (!work.isStopped) setSaving((known) => (known === 'offline' ? known : 'changed'));
    }
    work.version++;
    work.changedAt = Date.now();
    localTimer.current ??= setTimeout(() => {
      whenIdle(() => {
        localTimer.current = undefined;
        keep();
      });
    }, keepLocalMs);
  }, [keep]);

  const attach = useCallback((canvas: Canvas | undefined): void => {
    const work = workRef.current;
    // A canvas that is shown again starts with what was written last.
    if (canvas === undefined && work.canvas !== undefined) {
      const last = work.canvas.read();
      work.read = () => last;
    }
    work.canvas = canvas;
    if (canvas !== undefined) work.read = canvas.read;
  }, []);

  const read = useCallback(() => workRef.current.read(), []);

  return {
    isLoading: opened === undefined || styles.data === undefined,
    error: loaded.error ?? styles.error,
    key: opened?.key ?? '',
    read,
    styles: styles.data?.complete as EmailStyles | undefined,
    isEmpty: opened?.isEmpty ?? false,
    mayWrite: room.mayWrite && data?.editable === true && saving !== 'conflict',
    people: room.people,
    room,
    saving,
    refusal,
    attach,
    changed,
    saveNow: save,
    reload,
    keepAside: async (title) => {
      const content = read() as never;
      await answer(
        api.POST('/editor/versions', { body: { ...(reference as ContentReference), name: title, content } }),
      );
      await reload();
    },
    overwrite: async () => {
      const content = read() as never;
      await answer(api.POST('/editor/content', { body: { ...(reference as ContentReference), content } }));
      await reload();
    },
    replace: async (other) => {
      const content = withoutNulls(other) as never;
      await answer(api.POST('/editor/content', { body: { ...(reference as ContentReference), content } }));
      await reload();
    },
  };
}

/** Between two keys rather than while one is handled. */
function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 500 });
  else act();
}

/** Html that was written by hand, or an email that was sent, is no change of the document. */
const isMergeable = ({ content_source: source, editable }: Content): boolean => source === 'editor' && editable;

/** What the tab goes on with: the document of the service, and what the browser has kept. */
async function takenUp(
  data: Content,
  id: string,
): Promise<{ readonly content: JsonNode; readonly state: 'clean' | 'changed' | 'conflict' }> {
  const local = data.editable ? await readLocal(id) : undefined;
  const theirs = data.content as unknown as JsonNode;
  if (local === undefined || isEqual(local.content, theirs)) return { content: theirs, state: 'clean' };
  if (local.revision === data.revision) return { content: local.content, state: 'changed' };
  if (!isMergeable(data)) return { content: local.content, state: 'conflict' };
  const { mergedDocument, originOf } = await import('./merge');
  const base = originOf(theirs, [local.base, ...local.sent]);
  const content = mergedDocument(base, local.content, theirs);
  return { content, state: isEqual(content, theirs) ? 'clean' : 'changed' };
}

function isEqual(one: JsonNode, other: JsonNode): boolean {
  return JSON.stringify(withoutNulls(one)) === JSON.stringify(withoutNulls(other));
}
