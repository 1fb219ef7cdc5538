import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { addressesIn } from '../../logic/mail-addresses';
import { say } from '../../parts/say';
import { useMail, type Inbox, type ThreadEmail } from './mail-queries';
import { nothing, WritingFields, type Written } from './writing-fields';
import styles from './writing.module.css';

interface ForwardFormProps {
  readonly inbox: Inbox;
  readonly threadId: string;
  readonly email: ThreadEmail;
  readonly done: () => void;
}

/** A forward is not kept: drafts do not carry the email with its files, which the service adds when it is sent. */
export function ForwardForm({ inbox, threadId, email, done }: ForwardFormProps) {
  const { t } = useTranslation();
  const { inboxId, refresh } = useMail();
  const [values, setValues] = useState<Written>(nothing);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      const path = { inbox: inboxId, thread: threadId, email: email.id };
      const [to, cc, bcc] = [values.to, values.cc, values.bcc].map((line) => [...addressesIn(line)]);
      const body = { to: to ?? [], cc, bcc, ...(values.text === '' ? {} : { text: values.text }) };
      await answer(api.POST('/inboxes/{inbox}/threads/{thread}/emails/{email}/forward', { params: { path }, body }));
      say(t('inboxes:write.sent'));
      done();
      await refresh();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <WritingFields
      inbox={inbox}
      values={values}
      change={(changes) => setValues({ ...values, ...changes })}
      isReply
      state={undefined}
      error={error}
      isSending={isSending}
      send={() => void send()}
      discard={done}
    >
      <p className={styles.note}>{t('inboxes:write.forwarded')}</p>
    </WritingFields>
  );
}
