import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { segmentsQuery } from '../audience/audience-queries';
import styles from './broadcasts.module.css';
import { useAudienceText, type Audience } from './use-audience';

interface AudienceLineProps {
  readonly segmentId: string;
  readonly audience: Audience;
  /** Opens the settings, where the segment is chosen. */
  readonly change: () => void;
}

/** Whom it is for, with their number, where it is written. */
export function AudienceLine({ segmentId, audience, change }: AudienceLineProps) {
  const { t } = useTranslation();
  const segment = useQuery(segmentsQuery).data?.find(({ id }) => id === segmentId);
  const text = useAudienceText(audience);
  return (
    <p className={styles.audience}>
      <span>{t('broadcasts:audience')}</span>
      <button type="button" onClick={change}>
        {segment?.name ?? '…'}
      </button>
      <span>{text}</span>
    </p>
  );
}
