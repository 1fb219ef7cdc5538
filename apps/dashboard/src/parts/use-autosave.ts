import { useCallback, useEffect, useRef, useState } from 'react';

export interface Autosave<Values> {
  readonly values: Values | undefined;
  readonly change: (changes: Partial<Values>) => void;
  /** Takes over what the server has got from elsewhere. `isIdle` says whether nothing of this tab is left to be saved. */
  readonly learn: (update: (values: Values, isIdle: boolean) => Partial<Values>) => void;
  readonly state: 'clean' | 'changed' | 'saving' | 'saved' | 'refused';
  readonly isChanged: boolean;
  readonly error: unknown;
  /** Resolves once everything is on the server; throws if it was refused. */
  readonly saved: () => Promise<void>;
}

interface Options<Values> {
  /** Of what is written; undefined while it is read. */
  readonly id: string | undefined;
  /** What the server has. Only another id replaces what is being written. */
  readonly known: () => Values;
  readonly save: (id: string, values: Values) => Promise<unknown>;
  readonly whenSaved: () => Promise<unknown>;
}

/** Without a change for this long, the draft is saved. */
const calmMs = 900;

/** Values that are saved by themselves a moment after each change, one request at a time. */
export function useAutosave<Values extends object>(options: Options<Values>): Autosave<Values> {
  const { id } = options;
  const [values, setValues] = useState<Values>();
  const [state, setState] = useState<Autosave<Values>['state']>('clean');
  const [error, setError] = useState<unknown>();
  const latest = useRef({ values, isChanged: false, running: undefined as Promise<void> | undefined });
  const given = useRef(options);
  given.current = options;

  useEffect(() => {
    if (id === undefined) return;
    const known = given.current.known();
    setValues(known);
    latest.current = { values: known, isChanged: false, running: undefined };
    setState('clean');
    setError(undefined);
  }, [id]);

  const save = useCallback(async (): Promise<void> => {
    const now = latest.current;
    if (now.running !== undefined) await now.running.catch(() => undefined);
    if (!now.isChanged || now.values === undefined || id === undefined) return;
    now.isChanged = false;
    setState('saving');
    now.running = given.current.save(id, now.values).then(() => undefined);
    try {
      await now.running;
      setError(undefined);
      setState(latest.current.isChanged ? 'changed' : 'saved');
      await given.current.whenSaved();
    } catch (refusal) {
      const isNewer = now.isChanged;
      now.isChanged = true;
      setError(refusal);
      // What was written meanwhile may be accepted, and is tried by itself.
      setState(isNewer ? 'changed' : 'refused');
      throw refusal;
    } finally {
      now.running = undefined;
    }
  }, [id]);

  useEffect(() => {
    if (state !== 'changed') return;
    const timer = setTimeout(() => void save().catch(() => undefined), calmMs);
    return () => clearTimeout(timer);
  }, [values, state, save]);

  // Another page of the dashboard: what is left goes out now.
  useEffect(() => () => void save().catch(() => undefined), [save]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (latest.current.isChanged) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  return {
    values,
    state,
    isChanged: state === 'changed' || state === 'refused',
    error,
    change: (changes) => {
      if (latest.current.values === undefined) return;
      const changed = { ...latest.current.values, ...changes };
      setValues(changed);
      latest.current.values = changed;
      latest.current.isChanged = true;
      setState('changed');
    },
    learn: (update) => {
      const { values: known, isChanged, running } = latest.current;
      if (known === undefined) return;
      const learned = { ...known, ...update(known, !isChanged && running === undefined) };
      latest.current.values = learned;
      setValues(learned);
    },
    saved: save,
  };
}
