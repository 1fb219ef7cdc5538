import { ActionIcon, Button, Modal, Stack, TextInput, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { auth } from '../../api/auth';
import { addPasskey, supportsPasskeys, type Passkey } from '../../api/passkeys';
import { withStepUp } from '../../api/step-up';
import { isIpAddress, namedUrl } from '../../logic/page-address';
import { Alert } from '../../parts/alert';
import { Confirm } from '../../parts/confirm';
import { Row, Rows, Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { useSubmit } from '../../parts/use-submit';
import styles from './settings.module.css';

const queryKey = ['me', 'passkeys'];

export function Passkeys() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const passkeys = useQuery({ queryKey, queryFn: () => auth<readonly Passkey[]>('/passkey/list-user-passkeys') });
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const renew = (): Promise<void> => client.invalidateQueries({ queryKey });
  const list = passkeys.data ?? [];
  const isAddress = isIpAddress(location.hostname);
  const name = namedUrl(location);
  return (
    <Section
      title={t('settings:passkeys.title')}
      text={t('settings:passkeys.text')}
      action={
        isAddress ? null : supportsPasskeys() ? (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('settings:passkeys.add')}
          </Button>
        ) : null
      }
    >
      {isAddress ? (
        <p role="note">
          {t('settings:passkeys.address')} {name === undefined ? t('settings:passkeys.byName') : null}
          {name === undefined ? null : (
            <Trans
              i18nKey="settings:passkeys.open"
              values={{ url: name }}
              components={{ open: <a className={styles.link} href={name} /> }}
            />
          )}
        </p>
      ) : supportsPasskeys() ? null : (
        <p role="note">{t('settings:passkeys.insecure')}</p>
      )}
      {list.length === 0 ? null : (
        <Rows>
          {list.map((passkey) => (
            <Row
              key={passkey.id}
              icon={<KeyRound size={17} aria-hidden />}
              title={passkey.name ?? t('settings:passkeys.unnamed')}
              text={passkey.createdAt === null ? undefined : <Time at={passkey.createdAt} />}
            >
              <Tooltip label={t('settings:passkeys.remove')}>
                <ActionIcon aria-label={t('settings:passkeys.remove')} onClick={() => setRemoving(passkey)}>
                  <Trash2 size={15} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Row>
          ))}
        </Rows>
      )}
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        title={t('settings:passkeys.add')}
        size={400}
        closeButtonProps={{ 'aria-label': t('common:close') }}
      >
        <AddPasskey
          done={() => {
            setAdding(false);
            void renew();
          }}
        />
      </Modal>
      <Confirm
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={t('settings:passkeys.removeTitle', { name: removing?.name ?? t('settings:passkeys.unnamed') })}
        action={t('settings:passkeys.remove')}
        dangerous
        run={async () => {
          await withStepUp(() => auth('/passkey/delete-passkey', { id: removing?.id }));
          await renew();
        }}
      >
        <p>{t('settings:passkeys.removeText')}</p>
      </Confirm>
    </Section>
  );
}

function AddPasskey({ done }: { readonly done: () => void }) {
  const { t } = useTranslation();
  const form = useSubmit(async ({ name = '' }) => {
    await withStepUp(() => addPasskey(name));
    done();
  });
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap={16} align="flex-start">
        <Alert error={form.error} />
        <TextInput
          data-autofocus
          w="100%"
          name="name"
          label={t('settings:passkeys.name')}
          placeholder={t('settings:passkeys.example')}
          required
          withAsterisk={false}
          maxLength={60}
        />
        <Button type="submit" loading={form.running}>
          {t('settings:passkeys.add')}
        </Button>
      </Stack>
    </form>
  );
}
