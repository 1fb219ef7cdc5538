import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { addressesIn, isWholeAddress } from '../../logic/mail-addresses';
import { say } from '../../parts/say';
import { useAutosave } from '../../parts/use-autosave';
import { useMail, type Inbox } from './mail-queries';
import { WritingFields, type Written, type WrittenFile } from './writing-fields';

interface WritingFormProps {
  readonly inbox: Inbox;
  readonly initial: Written;
  /** A draft that is there already. */
  readonly draftId?: string;
  readonly isReply?: boolean;
  /** The email that is answered, as a quotation. */
  readonly quotation?: string;
  /** For a reply that begins here. */
  readonly answers?: { readonly thread_id: string; readonly reply_to_email_id: string };
  /** It was sent or discarded. */
  readonly done: () => void;
}

/** What is written is kept as a draft, and sent from there. */
export function WritingForm(props: WritingFormProps) {
  const { inbox, initial, answers, quotation, done } = props;
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const draftId = useRef(props.draftId);
  const isOver = useRef(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const inPath = (draft: string) => ({ params: { path: { inbox: inboxId, draft } } });

  const ids = useRef(new Map(initial.files.map((file) => [file, file.id])));
  const keptFiles = useRef(initial.files);

  const put = async (values: Written, isLast: boolean): Promise<void> => {
    const { files } = values;
    const attachments = files === keptFiles.current ? undefined : files.map((file) => uploadOf(file, ids.current));
    const body = { ...bodyOf(values, isLast, quotation), attachments };
    if (draftId.current === undefined) {
      const given = Object.fromEntries(
        Object.entries(body).filter(([, value]) => value !== null && value !== undefined),
      );
      if (Object.keys(given).length === 0 && !isLast) return;
      const begun = { text: '', ...given, ...answers };
      const params = { path: { inbox: inboxId } };
      draftId.current = (await answer(api.POST('/inboxes/{inbox}/drafts', { params, body: begun }))).id;
    } else {
      await answer(api.PATCH('/inboxes/{inbox}/drafts/{draft}', { ...inPath(draftId.current), body }));
    }
    if (attachments === undefined) return;
    keptFiles.current = files;
    if (isLast || attachments.every((file) => !('content' in file))) return;
    // They stay by their ids from now on.
    const kept = await answer(api.GET('/inboxes/{inbox}/drafts/{draft}', inPath(draftId.current)));
    ids.current = new Map(files.map((file, index) => [file, kept.attachments[index]?.id]));
  };
  const draft = useAutosave<Written>({
    id: 'writing',
    known: () => initial,
    save: (_id, values) => (isOver.current ? Promise.resolve() : put(values, false)),
    whenSaved: refresh,
  });
  const values = draft.values ?? initial;

  const end = async (act: () => Promise<unknown>): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await act();
      isOver.current = true;
      done();
      await refresh();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  const send = (): Promise<void> =>
    end(async () => {
      await draft.saved();
      // Now also what does not look like an address yet: the service says what is wrong with it.
      await put(values, true);
      await answer(api.POST('/inboxes/{inbox}/drafts/{draft}/send', inPath(draftId.current ?? '')));
      say(t('inboxes:write.sent'));
    });
  const discard = (): Promise<void> =>
    end(async () => {
      await draft.saved().catch(() => undefined);
      if (draftId.current === undefined) return;
      await answer(api.DELETE('/inboxes/{inbox}/drafts/{draft}', inPath(draftId.current)));
    });
  return (
    <WritingFields
      inbox={inbox}
      values={values}
      change={draft.change}
      isReply={props.isReply === true || answers !== undefined}
      quotes={quotation !== undefined}
      state={draft.state}
      error={error ?? draft.error}
      isSending={isSending}
      send={() => void send()}
      discard={() => void discard()}
    />
  );
}

function bodyOf(values: Written, isLast: boolean, quotation: string | undefined) {
  const among = (line: string): string[] | null => {
    const found = addressesIn(line).filter((one) => isLast || isWholeAddress(one));
    return found.length === 0 ? null : found;
  };
  return {
    to: among(values.to),
    cc: among(values.cc),
    bcc: among(values.bcc),
    subject: values.subject.trim() || null,
    // What is kept is what was written, so that the quotation can be left out until the end.
    text: (isLast && values.quotes ? `${values.text}\n\n${quotation}`.trim() : values.text) || null,
  };
}

function uploadOf(file: WrittenFile, ids: ReadonlyMap<WrittenFile, string | undefined>) {
  const id = ids.get(file);
  if (id !== undefined) return { id };
  const { filename, content_type, content = '' } = file;
  return { filename, content_type, content };
}
