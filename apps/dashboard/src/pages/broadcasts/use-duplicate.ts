import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { say, sayError } from '../../parts/say';
import { pathOf } from './broadcast-queries';

/** Makes a draft with the same content, and opens it. `saved` resolves once what is written is on the server. */
export function useDuplicate(id: string, saved: () => Promise<void> = () => Promise.resolve()): () => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const run = async (): Promise<void> => {
    await saved();
    const { id: copy } = await answer(api.POST('/broadcasts/{id}/duplicate', pathOf(id)));
    void client.invalidateQueries({ queryKey: ['broadcasts'] });
    say(t('broadcasts:duplicated'));
    await navigate({ to: `/app/broadcasts/${copy}` });
  };
  return () => void run().catch(sayError);
}
