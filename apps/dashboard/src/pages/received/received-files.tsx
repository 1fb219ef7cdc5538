import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { Panel } from '../../parts/panel';
import { Attachments } from '../emails/attachments';

export function ReceivedFiles({ emailId }: { readonly emailId: string }) {
  const { t } = useTranslation();
  const files = useQuery({
    queryKey: ['received-one', emailId, 'files'],
    queryFn: () => answer(api.GET('/emails/receiving/{id}/attachments', { params: { path: { id: emailId } } })),
    staleTime: 30 * 60_000,
  });
  return (
    <Panel title={t('received:attachments')} flush>
      <Attachments attachments={files.data?.data ?? []} />
    </Panel>
  );
}
