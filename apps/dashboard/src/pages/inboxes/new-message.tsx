import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DetailPane } from '../../detail/detail-pane';
import { usePathValues } from '../../parts/location';
import { KeptDraft } from './answer-form';
import { inboxQuery, useMail } from './mail-queries';
import { nothing } from './writing-fields';
import { WritingForm } from './writing-form';
import styles from './writing.module.css';

/** A new email, beside the list. */
export function NewMessage() {
  const { t } = useTranslation();
  const { inboxId } = useMail();
  const close = useClose();
  const inbox = useQuery(inboxQuery(inboxId));
  return (
    <DetailPane title={t('inboxes:new')} close={close}>
      <div className={styles.pane}>
        {inbox.data === undefined ? null : <WritingForm inbox={inbox.data} initial={nothing} done={close} />}
      </div>
    </DetailPane>
  );
}

/** A draft that is no reply, beside the list. */
export function DraftDetail() {
  const { t } = useTranslation();
  const { inboxId } = useMail();
  const { draftId = '' } = usePathValues();
  const close = useClose();
  const inbox = useQuery(inboxQuery(inboxId));
  return (
    <DetailPane title={t('inboxes:draft.one')} close={close}>
      <div className={styles.pane}>
        {inbox.data === undefined ? null : (
          <KeptDraft key={draftId} inbox={inbox.data} draftId={draftId} done={close} />
        )}
      </div>
    </DetailPane>
  );
}

function useClose(): () => void {
  const navigate = useNavigate();
  const { inboxId } = useMail();
  return () => void navigate({ to: `/app/inboxes/${inboxId}`, search: (known: object) => known });
}
