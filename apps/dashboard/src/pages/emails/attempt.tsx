import { UnstyledButton } from '@mantine/core';
import { ChevronRight, CircleCheck, CircleX, Clock, HelpCircle, Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reasonOf, wasNotReady, wasUnreachable } from '../../logic/email-story';
import { receiverOf } from '../../logic/mail-hosts';
import { duration } from '../../logic/moments';
import { localeOf } from '../../words/words';
import styles from './attempt.module.css';
import type { TraceAttempt } from './email-queries';
import { Entry } from './entry';
import { PhasesOf } from './phases';

const looks = {
  delivered: { icon: CircleCheck, tone: 'good' },
  deferred: { icon: Clock, tone: 'wait' },
  bounced: { icon: CircleX, tone: 'bad' },
} as const;

/** One attempt: what the server said, what that means, and how the time was spent. */
export function Attempt({ attempt, recipient }: { readonly attempt: TraceAttempt; readonly recipient: string }) {
  const { t, i18n } = useTranslation();
  const [opened, setOpened] = useState(attempt.outcome !== 'delivered');
  const { outcome, outcome_unknown, category, reason, reply, host } = attempt;
  const look = outcome_unknown ? { icon: HelpCircle, tone: 'wait' as const } : looks[outcome];
  const receiver = receiverOf(recipient, host);
  const unreachable = wasUnreachable(attempt);
  const notReady = wasNotReady(attempt);
  const title = notReady
    ? t('emails:attempt.notReady')
    : unreachable
      ? t('emails:attempt.unreachable', { receiver })
      : outcome_unknown
        ? t('emails:attempt.unknown')
        : t(`emails:attempt.${outcome}`, { receiver });
  const took = duration(attempt.duration_ms, localeOf(i18n.language));
  return (
    <Entry icon={look.icon} tone={look.tone} title={title} at={attempt.started_at}>
      {outcome === 'delivered' ? null : (
        <p className={styles.meaning}>
          {outcome_unknown
            ? t('emails:attempt.unknownText')
            : notReady
              ? t('emails:attempt.notReadyText')
              : unreachable
                ? t('emails:attempt.noHost')
                : t(`emails:reason.${reasonOf(category)}.text`, { receiver })}
        </p>
      )}
      {reply === null ? (
        reason === null || outcome === 'delivered' ? null : (
          <p className={styles.reply}>{reason}</p>
        )
      ) : (
        <p className={styles.reply} data-tone={look.tone}>
          <b>
            {reply.code}
            {reply.enhanced_code === null ? '' : ` ${reply.enhanced_code}`}
          </b>{' '}
          {reply.text}
        </p>
      )}
      <UnstyledButton className={styles.toggle} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <ChevronRight size={13} aria-hidden />
        {t('emails:attempt.title', { number: attempt.attempt, took })}
      </UnstyledButton>
      {opened ? (
        <div className={styles.details}>
          <PhasesOf attempt={attempt} />
          <Facts attempt={attempt} />
        </div>
      ) : null}
    </Entry>
  );
}

function Facts({ attempt }: { readonly attempt: TraceAttempt }) {
  const { t } = useTranslation();
  const { host, address, region, pool, source_address: source, tls } = attempt;
  if (host === null && tls === null) return null;
  const isEncrypted = tls !== null && tls.level !== 'none';
  const notes = [tls?.certificate_error, tls?.plaintext_reason, tls?.policy_failure].filter(
    (note) => note !== null && note !== undefined,
  );
  return (
    <dl className={styles.facts}>
      {host === null ? null : (
        <div>
          <dt>{t('emails:attempt.host')}</dt>
          <dd>
            <span className="mono">{host}</span>
            {address === null ? null : <span className="mono quiet"> {address}</span>}
          </dd>
        </div>
      )}
      {region === null ? null : (
        <div>
          <dt>{t('emails:attempt.region')}</dt>
          <dd>{region}</dd>
        </div>
      )}
      {pool === null ? null : (
        <div>
          <dt>{t('emails:attempt.pool')}</dt>
          <dd>
            {pool}
            {source === null ? null : <span className="mono quiet"> {source}</span>}
          </dd>
        </div>
      )}
      {tls === null ? null : (
        <div>
          <dt>{t('emails:attempt.encryption')}</dt>
          <dd className={styles.tls}>
            {isEncrypted ? <Lock size={12} aria-hidden /> : <LockOpen size={12} aria-hidden />}
            <span>
              {isEncrypted ? `${tls.protocol ?? 'TLS'} · ` : ''}
              {t(`emails:tls.${tls.level}`)}
            </span>
          </dd>
        </div>
      )}
      {notes.map((note) => (
        <div key={note}>
          <dt />
          <dd className="quiet">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
