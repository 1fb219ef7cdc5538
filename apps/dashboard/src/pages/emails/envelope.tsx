import { Flex } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button';
import { Time } from '../../parts/time';
import type { Email } from './email-queries';
import styles from './envelope.module.css';

/** Who, to whom, when: above the preview. */
export function Envelope({ email }: { readonly email: Email }) {
  const { t } = useTranslation();
  const lists = [
    ['to', email.to],
    ['cc', email.cc],
    ['bcc', email.bcc],
    ['replyTo', email.reply_to],
  ] as const;
  return (
    <dl className={styles.envelope}>
      <div>
        <dt>{t('emails:column.from')}</dt>
        <dd className="cut">{email.from}</dd>
      </div>
      {lists.map(([name, addresses]) =>
        addresses === null || addresses.length === 0 ? null : (
          <div key={name}>
            <dt>{t(`emails:envelope.${name}`)}</dt>
            <dd>{addresses.join(', ')}</dd>
          </div>
        ),
      )}
      <div>
        <dt>{t('emails:envelope.accepted')}</dt>
        <dd>
          <Time at={email.created_at} form="exact" />
        </dd>
      </div>
      {(email.tags ?? []).length === 0 ? null : (
        <div>
          <dt>{t('emails:envelope.tags')}</dt>
          <Flex component="dd" gap={4} wrap="wrap">
            {(email.tags ?? []).map(({ name, value }) => (
              <span key={name} className={styles.tag}>
                {name}: {value}
              </span>
            ))}
          </Flex>
        </div>
      )}
      <div>
        <dt>{t('emails:column.id')}</dt>
        <Flex component="dd" gap={4} align="center" h={20}>
          <span className="mono cut">{email.id}</span>
          <CopyButton value={email.id} label={t('emails:envelope.copyId')} />
        </Flex>
      </div>
    </dl>
  );
}
