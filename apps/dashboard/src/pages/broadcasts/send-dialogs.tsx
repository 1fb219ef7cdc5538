import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { useSession } from '../../api/session';
import { Findings } from '../../editor/findings';
import { FormModal } from '../../parts/form-modal';
import { say } from '../../parts/say';
import { now, scheduledAt, WhenFields } from '../../parts/when-fields';
import { AudienceHealth } from './audience-health';
import { pathOf, type Broadcast } from './broadcast-queries';
import type { Audience } from './use-audience';

interface DialogProps {
  readonly broadcast: Broadcast;
  readonly opened: boolean;
  readonly close: () => void;
  /** Puts what is in the editor on the server first. */
  readonly saved: () => Promise<void>;
  readonly done: () => Promise<void>;
  /** A refusal is shown at its field, so the dialog closes. */
  readonly refused: (error: unknown) => void;
  readonly audience: Audience;
}

/** Asks before many get an email: now, or at a time in words or from the calendar. */
export function SendDialog({ broadcast, opened, close, saved, done, refused, audience }: DialogProps) {
  const { t, i18n } = useTranslation();
  const [when, setWhen] = useState(now);
  const [mayGo, setMayGo] = useState(false);
  const { count } = audience;
  const number = new Intl.NumberFormat(i18n.language);
  const at = scheduledAt(when);
  const send = async (): Promise<void> => {
    try {
      await saved();
      await answer(
        api.POST('/broadcasts/{id}/send', {
          ...pathOf(broadcast.id),
          body: at === undefined ? {} : { scheduled_at: at },
        }),
      );
    } catch (error) {
      return refused(error);
    }
    say(t(at === undefined ? 'broadcasts:started' : 'broadcasts:scheduled'));
    await done();
  };
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('broadcasts:sendTitle')}
      action={
        at === undefined
          ? t('broadcasts:sendTo', { count: count ?? 0, number: count === undefined ? '…' : number.format(count) })
          : t('broadcasts:schedule')
      }
      size={540}
      isReady={mayGo && at !== ''}
      run={send}
    >
      <WhenFields value={when} change={setWhen} />
      <p>
        {count === undefined
          ? t('broadcasts:counting')
          : t(at === undefined ? 'broadcasts:sendText' : 'broadcasts:scheduleText', {
              count,
              number: number.format(count),
            })}
      </p>
      <AudienceHealth broadcastId={broadcast.id} saved={saved} />
      <Findings emails={[{ type: 'broadcast', id: broadcast.id, given: [] }]} saved={saved} decide={setMayGo} />
      <p className="quiet">{t('broadcasts:sendNote')}</p>
    </FormModal>
  );
}

/** Sends it to addresses of one's own, as ordinary emails. */
export function TestDialog({ broadcast, opened, close, saved, refused }: Omit<DialogProps, 'audience' | 'done'>) {
  const { t } = useTranslation();
  const own = useSession()?.user.email ?? '';
  const [to, setTo] = useState(own);
  const addresses = to.split(',').map((address) => address.trim());
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('broadcasts:testTitle')}
      action={t('broadcasts:sendTest')}
      isReady={addresses.some((address) => address !== '')}
      run={async () => {
        try {
          await saved();
        } catch (error) {
          return refused(error);
        }
        const body = { to: addresses.filter((address) => address !== '') };
        const { data } = await answer(api.POST('/broadcasts/{id}/test', { ...pathOf(broadcast.id), body }));
        say(t('broadcasts:testSent', { count: data.length }));
        return undefined;
      }}
    >
      <TextInput
        data-autofocus
        label={t('broadcasts:testTo')}
        description={t('broadcasts:testText')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </FormModal>
  );
}
