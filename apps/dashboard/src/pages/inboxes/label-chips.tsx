import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { membersQuery } from '../../api/members-query';
import styles from './labels.module.css';
import type { Label } from './mail-queries';

/** The colour of a label. Its name always stands beside it. */
export function Dot({ color }: { readonly color: string }) {
  return <span className={styles.dot} style={{ background: color }} aria-hidden />;
}

/** Who looks after a thread. */
export function AssigneeChip({ email }: { readonly email: string | null }) {
  const { t } = useTranslation();
  const member = useQuery(membersQuery).data?.find((one) => one.email === email);
  if (email === null) return null;
  return (
    <span className={styles.chip}>
      <UserRound size={12} role="img" aria-label={t('inboxes:assignee.one')} />
      <span className="cut">{member?.name || email}</span>
    </span>
  );
}

export function LabelChips({ labels }: { readonly labels: readonly Label[] }) {
  return (
    <>
      {labels.map(({ id, name, color }) => (
        <span key={id} className={styles.chip}>
          <Dot color={color} />
          <span className="cut">{name}</span>
        </span>
      ))}
    </>
  );
}
