import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { answerRecipients } from '../../logic/mail-addresses';
import { ErrorState } from '../../parts/states';
import { ForwardForm } from './forward-form';
import { useMail, type Inbox, type ThreadEmail } from './mail-queries';
import { WritingForm } from './writing-form';

export type Answer =
  | { readonly kind: 'reply' | 'replyAll' | 'forward'; readonly email: ThreadEmail }
  | { readonly kind: 'draft'; readonly draftId: string };

interface AnswerFormProps {
  readonly inbox: Inbox;
  readonly threadId: string;
  readonly answering: Answer;
  readonly done: () => void;
}

/** What is written below a thread. */
export function AnswerForm({ inbox, threadId, answering, done }: AnswerFormProps) {
  if (answering.kind === 'draft') return <KeptDraft inbox={inbox} draftId={answering.draftId} done={done} />;
  const { email } = answering;
  if (answering.kind === 'forward') return <ForwardForm inbox={inbox} threadId={threadId} email={email} done={done} />;
  const { to, cc } = answerRecipients(email, inbox.email_address, answering.kind === 'replyAll');
  return (
    <WritingForm
      inbox={inbox}
      initial={{ to: to.join(', '), cc: cc.join(', '), bcc: '', subject: '', text: '' }}
      answers={{ thread_id: threadId, reply_to_email_id: email.id }}
      done={done}
    />
  );
}

interface KeptDraftProps {
  readonly inbox: Inbox;
  readonly draftId: string;
  readonly done: () => void;
}

/** A draft that is gone on with. */
export function KeptDraft({ inbox, draftId, done }: KeptDraftProps) {
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
  const { to, cc, bcc, subject, text, thread_id: threadId, attachments } = draft.data;
  return (
    <WritingForm
      inbox={inbox}
      draftId={draftId}
      isReply={threadId !== null}
      files={attachments}
      initial={{
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
