import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filterJson, filterOf, ruleFor, type FieldKind, type FilterGroup } from '../logic/segment-filter';
import { propertiesQuery } from '../pages/audience/audience-queries';
import { FilterBuilder } from '../pages/audience/filter-builder';
import type { FilterField, FilterFields } from '../pages/audience/filter-fields';

interface RuleFieldProps {
  readonly value: unknown;
  readonly readOnly: boolean;
  readonly change: (rule: unknown) => void;
}

/** The condition under which a block is shown: a rule as in automations, on the values of the recipient. */
export function RuleField({ value, readOnly, change }: RuleFieldProps) {
  const { t } = useTranslation();
  const fields = useReaderFields();
  const [group, setGroup] = useState(groupOf(value));
  // As text, since a rule that comes back from the document is another object.
  const [shown, setShown] = useState(textOf(value));
  const [written, setWritten] = useState<string>();
  if (shown !== textOf(value)) {
    setShown(textOf(value));
    // Another block was chosen, a change was undone, or somebody else changed the rule.
    if (written !== textOf(value)) {
      setGroup(groupOf(value));
      setWritten(undefined);
    }
  }
  const set = (changed: FilterGroup | undefined): void => {
    setGroup(changed);
    const json = changed === undefined ? undefined : filterJson(changed, fields.kindOf);
    // While a value is missing, the rule that was whole stays.
    if (changed !== undefined && json === undefined) return;
    setWritten(textOf(json));
    change(json);
  };
  if (readOnly) return <pre className="quiet">{JSON.stringify(value, null, 1)}</pre>;
  if (group === undefined) {
    return (
      <>
        <p className="quiet">{t('editor:rule.everybody')}</p>
        <Button
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => set({ match: 'all', items: [ruleFor(fields.first, fields.kindOf(fields.first), 'eq')] })}
        >
          {t('editor:rule.add')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className="quiet">{t('editor:rule.text')}</p>
      <FilterBuilder fields={fields} group={group} change={set} remove={() => set(undefined)} />
    </>
  );
}

const groupOf = (rule: unknown): FilterGroup | undefined =>
  rule === null || rule === undefined ? undefined : filterOf(rule);

const textOf = (rule: unknown): string => JSON.stringify(rule ?? null);

function useReaderFields(): FilterFields {
  const { t } = useTranslation();
  const properties = useQuery(propertiesQuery).data;
  return useMemo(() => {
    const field = (value: string, kind: FieldKind): FilterField => ({ value, label: value, kind });
    const items = [
      ...['email', 'first_name', 'last_name'].map((name) => field(`contact.${name}`, 'text')),
      ...(properties ?? []).map(({ key, type }) =>
        field(`contact.properties.${key}`, type === 'number' ? 'number' : 'text'),
      ),
    ];
    const kinds = new Map(items.map(({ value, kind }) => [value, kind]));
    return {
      groups: [{ group: t('editor:group.contact'), items }],
      first: items[3]?.value ?? 'contact.first_name',
      matches: ['all', 'any'],
      isOpen: true,
      kindOf: (name) => kinds.get(name) ?? 'any',
      labelOf: (name) => name,
    };
  }, [properties, t]);
}
