import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, CalendarX2, Copy, Ellipsis, Fingerprint, Forward, Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useMay } from '../../api/session';
import { Confirm } from '../../parts/confirm';
import { useCopy } from '../../parts/copy-button';
import { say } from '../../parts/say';
import { attachmentsQuery, type Email } from './email-queries';
import { resend } from './resend';
import { RescheduleDialog } from './reschedule-dialog';
import { ShareDialog } from './share-dialog';

type Dialog = 'resend' | 'cancel' | 'reschedule' | 'share';

/** What can be done with an email: only what its state and the user's role allow. */
export function EmailActions({ email }: { readonly email: Email }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySend = useMay('emails:send');
  const mayWrite = useMay('emails:write');
  const [dialog, setDialog] = useState<Dialog>();
  const [, copy] = useCopy();
  const close = (): void => setDialog(undefined);
  const isScheduled = email.last_event === 'scheduled';
  const canWrite = mayWrite && isScheduled;
  const { id } = email;

  const sendAgain = async (): Promise<void> => {
    const attachments = await queryClient.fetchQuery(attachmentsQuery(id));
    const sent = await resend(email, attachments.data);
    say(t('emails:resend.done'));
    await navigate({ to: `/app/emails/${sent}`, search: (known: object) => known });
  };
  const cancel = async (): Promise<void> => {
    await answer(api.POST('/emails/{id}/cancel', { params: { path: { id } } }));
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['email', id] }),
      queryClient.invalidateQueries({ queryKey: ['emails'] }),
    ]);
    say(t('emails:cancel.done'));
  };
  return (
    <>
      {canWrite ? (
        <Button
          variant="default"
          leftSection={<CalendarClock size={14} aria-hidden />}
          onClick={() => setDialog('reschedule')}
        >
          {t('emails:reschedule.action')}
        </Button>
      ) : null}
      {maySend && !isScheduled ? (
        <Button variant="default" leftSection={<Forward size={14} aria-hidden />} onClick={() => setDialog('resend')}>
          {t('emails:resend.action')}
        </Button>
      ) : null}
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={t('emails:detail.more')}>
            <ActionIcon aria-label={t('emails:detail.more')}>
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {mayWrite ? (
            <Menu.Item leftSection={<Share2 size={15} aria-hidden />} onClick={() => setDialog('share')}>
              {t('emails:share.action')}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => copy(id)}>
            {t('emails:envelope.copyId')}
          </Menu.Item>
          <Menu.Item leftSection={<Fingerprint size={15} aria-hidden />} onClick={() => copy(email.message_id)}>
            {t('emails:detail.copyMessageId')}
          </Menu.Item>
          {canWrite ? (
            <Menu.Item
              color="red"
              leftSection={<CalendarX2 size={15} aria-hidden />}
              onClick={() => setDialog('cancel')}
            >
              {t('emails:cancel.action')}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={dialog === 'resend'}
        close={close}
        title={t('emails:resend.title')}
        action={t('emails:resend.action')}
        run={sendAgain}
      >
        <p>{t('emails:resend.text', { to: [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])].join(', ') })}</p>
      </Confirm>
      <Confirm
        opened={dialog === 'cancel'}
        close={close}
        title={t('emails:cancel.title')}
        action={t('emails:cancel.action')}
        dangerous
        run={cancel}
      >
        <p>{t('emails:cancel.text')}</p>
      </Confirm>
      <RescheduleDialog email={email} opened={dialog === 'reschedule'} close={close} />
      <ShareDialog email={email} opened={dialog === 'share'} close={close} />
    </>
  );
}
