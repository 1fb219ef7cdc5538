import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePathValues } from '../../parts/location';
import { Page } from '../../parts/page';
import { ErrorState } from '../../parts/states';
import { useAnswered } from '../../parts/use-answered';
import { broadcastQuery } from './broadcast-queries';
import { BroadcastResults } from './broadcast-results';
import { ComposePage } from './compose-page';

/** One broadcast: written until it is sent, and then what becomes of it. */
export function BroadcastPage() {
  const { broadcastId = '' } = usePathValues();
  const { t } = useTranslation();
  const broadcast = useQuery({ ...broadcastQuery(broadcastId), staleTime: 0 });
  const answered = useAnswered(broadcast, broadcastId);
  const isWritten = broadcast.data?.state === 'draft' || broadcast.data?.state === 'scheduled';
  // What is written begins with what the server has now, not with an answer that is kept.
  const data = isWritten ? answered : broadcast.data;
  if (data === undefined) {
    return (
      <Page title={t('broadcasts:one')} back="/app/broadcasts">
        {broadcast.error === null ? null : (
          <ErrorState error={broadcast.error} retry={() => void broadcast.refetch()} />
        )}
      </Page>
    );
  }
  return isWritten ? (
    <ComposePage key={data.id} broadcast={data} />
  ) : (
    <BroadcastResults key={data.id} broadcast={data} />
  );
}
