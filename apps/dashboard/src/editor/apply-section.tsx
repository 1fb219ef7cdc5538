import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../api/client';
import { Confirm } from '../parts/confirm';
import { say } from '../parts/say';
import { applyEverywhere } from './saved-sections';

interface ApplySectionProps {
  readonly id: string;
  readonly name: string;
  readonly close: () => void;
  /** A document that is open, and has the section already. */
  readonly except?: string;
  /** Before drafts are written, such as the one that is open. */
  readonly before?: () => Promise<void>;
}

/** Shows the drafts that have the section, and updates all of them. */
export function ApplySection({ id, name, close, except, before }: ApplySectionProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const params = { path: { sectionId: id }, query: { limit: 100 } };
  const uses = useQuery({
    queryKey: ['saved-sections', id, 'uses'],
    queryFn: () => answer(api.GET('/editor/sections/{sectionId}/uses', { params })),
    staleTime: 0,
  });
  const others = (uses.data?.data ?? []).filter((use) => use.id !== except);
  const more = uses.data?.has_more === true ? '+' : '';
  return (
    <Confirm
      opened
      close={close}
      title={t('editor:sections.everywhereTitle', { name })}
      action={t('editor:sections.everywhere')}
      run={async () => {
        await before?.();
        const { updated, skipped } = await applyEverywhere(id);
        await client.invalidateQueries({ queryKey: ['email-picture'] });
        say(
          skipped === 0
            ? t('editor:sections.updated', { count: updated })
            : t('editor:sections.updatedBut', { count: updated, skipped }),
        );
      }}
    >
      <p>{t('editor:sections.everywhereText', { count: others.length, number: `${others.length}${more}` })}</p>
      {others.length === 0 ? null : (
        <ul>
          {others.slice(0, 8).map((use) => (
            <li key={use.id}>{use.name}</li>
          ))}
          {others.length > 8 ? <li>{t('editor:sections.andMore', { count: others.length - 8 })}</li> : null}
        </ul>
      )}
    </Confirm>
  );
}
