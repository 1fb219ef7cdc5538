import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { answerRecipients, nameIn } from '../../logic/mail-addresses';
import { ErrorState } from '../../parts/states';
import { localeOf } from '../../words/words';
import { ForwardForm } from './forward-form';
import { useMail, type Inbox, type ThreadEmail } from './mail-queries';
import { quoted } from './quotations';
import { nothing } from './writing-fields';
import { WritingForm } from './writing-form';

export type Answer =
  | { readonly kind: 'reply' | 'replyAll' | 'forward'; readonly email: ThreadEmail }
  | { readonly kind: 'draft'; readonly draftId: string };

interface AnswerFormProps {
  readonly inbox: Inbox;
  readonly threadId: string;
  readonly answering: Answer;
  /** Of the thread, as far as they are shown. */
  readonly emails: readonly ThreadEmail[];
  readonly done: () => void;
}

/** What is written below a thread. */
export function AnswerForm({ inbox, threadId, answering, emails, done }: AnswerFormProps) {
  const quotation = useQuotation();
  if (answering.kind === 'draft') {
    return <KeptDraft inbox={inbox} draftId={answering.draftId} emails={emails} done={done} />;
  }
  const { email } = answering;
  if (answering.kind === 'forward') return <ForwardForm inbox={inbox} threadId={threadId} email={email} done={done} />;
  const { to, cc } = answerRecipients(email, inbox.email_address, answering.kind === 'replyAll');
  return (
    <WritingForm
      inbox={inbox}
      initial={{ ...nothing, to: to.join(', '), cc: cc.join(', '), quotes: true }}
      quotation={quotation(email)}
      answers={{ thread_id: threadId, reply_to_email_id: email.id }}
      done={done}
    />
  );
}

interface KeptDraftProps {
  readonly inbox: Inbox;
  readonly draftId: string;
  /** Among which is what it answers. */
  readonly emails?: readonly ThreadEmail[];
  readonly done: () => void;
}

/** A draft that is gone on with. */
export function KeptDraft({ inbox, draftId, emails = [], done }: KeptDraftProps) {
  const quotation = useQuotation();
  const { inboxId } = useMail();
  const draft = useQuery({
    queryKey: ['mail-draft', inboxId, draftId],
    queryFn: () =>
      answer(api.GET('/inboxes/{inbox}/drafts/{draft}', { params: { path: { inbox: inboxId, draft: draftId } } })),
    // What is being written is not replaced, and the next who opens it reads it anew.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (draft.error !== null) return <ErrorState error={draft.error} retry={() => void draft.refetch()} />;
  if (draft.data === undefined) return <Skeleton height={200} />;
  const { to, cc, bcc, subject, text, thread_id: threadId, reply_to_email_id: answeredId, attachments } = draft.data;
  const answered = emails.find(({ id }) => id === answeredId);
  return (
    <WritingForm
      inbox={inbox}
      draftId={draftId}
      isReply={threadId !== null}
      quotation={answered === undefined ? undefined : quotation(answered)}
      initial={{
        ...nothing,
        files: attachments,
        to: (to ?? []).join(', '),
        cc: cc.join(', '),
        bcc: bcc.join(', '),
        subject: subject ?? '',
        text: text ?? '',
      }}
      done={done}
    />
  );
}

/** The email that is answered, below a line that says who wrote it when. */
function useQuotation(): (email: ThreadEmail) => string {
  const { t, i18n } = useTranslation();
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: 'long', timeStyle: 'short' });
  return (email) => {
    const at = time.format(new Date(email.received_at));
    return `${t('inboxes:write.wrote', { at, name: nameIn(email.from) })}\n${quoted(email)}`;
  };
}
