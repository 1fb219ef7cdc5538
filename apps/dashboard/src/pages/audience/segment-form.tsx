import { SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { answer, api } from '../../api/client';
import { filterJson, ruleFor, type FilterGroup } from '../../logic/segment-filter';
import { Alert } from '../../parts/alert';
import { FormModal } from '../../parts/form-modal';
import { useOpenedState } from '../../parts/use-opened-state';
import styles from './audience.module.css';
import { FilterBuilder } from './filter-builder';
import { useFilterFields } from './filter-fields';

interface SegmentFormProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** What it begins with, if it is made like another one. */
  readonly like?: FilterGroup;
  readonly created: (id: string) => void;
}

const firstFilter: FilterGroup = { match: 'all', items: [ruleFor('contact.opened', 'activity')] };

/** A segment is a list that people are added to, or a filter that finds them. */
export function SegmentForm({ opened, close, like, created }: SegmentFormProps) {
  const { t } = useTranslation();
  const fields = useFilterFields(opened);
  const [name, setName] = useOpenedState(opened, () => '');
  const [kind, setKind] = useOpenedState<'filter' | 'list'>(opened, () => 'filter');
  const [group, setGroup] = useOpenedState<FilterGroup>(opened, () => like ?? firstFilter);
  const filter = kind === 'filter' ? filterJson(group, fields.kindOf) : undefined;
  return (
    <FormModal
      opened={opened}
      close={close}
      title={t('audience:segments.addTitle')}
      action={t('audience:segments.add')}
      size={760}
      isReady={name.trim() !== '' && (kind === 'list' || filter !== undefined)}
      run={async () => {
        const body = { name: name.trim(), ...(filter === undefined ? {} : { filter }) };
        const { id } = await answer(api.POST('/segments', { body: body as never }));
        created(id);
      }}
    >
      <TextInput
        data-autofocus
        label={t('audience:segments.name')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <SegmentedControl
        aria-label={t('audience:segments.kind')}
        value={kind}
        onChange={(value) => setKind(value === 'list' ? 'list' : 'filter')}
        data={[
          { value: 'filter', label: t('audience:segments.byFilter') },
          { value: 'list', label: t('audience:segments.byHand') },
        ]}
      />
      {kind === 'list' ? (
        <p className="quiet">{t('audience:segments.byHandText')}</p>
      ) : (
        <>
          <FilterBuilder fields={fields} group={group} change={setGroup} />
          <Preview filter={filter} />
        </>
      )}
    </FormModal>
  );
}

/** How many contacts match now, and who the first of them are. */
function Preview({ filter }: { readonly filter: object | undefined }) {
  const { t, i18n } = useTranslation();
  const [settled] = useDebouncedValue(filter === undefined ? undefined : JSON.stringify(filter), 350);
  const preview = useQuery({
    queryKey: ['segments', 'preview', settled],
    queryFn: () =>
      answer(api.POST('/segments/preview', { body: { filter: JSON.parse(settled ?? 'null') as object } as never })),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (filter === undefined) return <p className="quiet">{t('audience:segments.incomplete')}</p>;
  if (preview.error !== null) return <Alert error={preview.error} />;
  const number = new Intl.NumberFormat(i18n.language);
  const count = preview.data?.all_contacts;
  return (
    <div className={styles.count} role="status">
      <strong>{count === undefined ? '–' : number.format(count)}</strong>
      <span>{t('audience:segments.match', { count: count ?? 0 })}</span>
      <span className="quiet cut">{(preview.data?.sample ?? []).map(({ email }) => email).join(', ')}</span>
    </div>
  );
}
