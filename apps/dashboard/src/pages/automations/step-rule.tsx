import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filterJson, filterOf, ruleFor, type FieldKind, type FilterGroup } from '../../logic/segment-filter';
import type { AutomationDraft } from '../../logic/automation-draft';
import { propertiesQuery } from '../audience/audience-queries';
import { FilterBuilder } from '../audience/filter-builder';
import type { FilterField, FilterFields } from '../audience/filter-fields';
import { eventsQuery } from './automation-queries';
import type { StepFieldsProps } from './config-fields';

/** The rule of a condition, or of a wait where `field` names it. */
export function StepRule({ draft, step, change, field }: StepFieldsProps & { readonly field?: string }) {
  const { t } = useTranslation();
  const fields = useRuleFields(draft, field !== undefined);
  const known = field === undefined ? step.config : step.config[field];
  const hasRule = known !== undefined && Object.keys(known as object).length > 0;
  const [group, setGroup] = useState<FilterGroup | undefined>(hasRule ? filterOf(known) : undefined);
  const set = (changed: FilterGroup | undefined): void => {
    setGroup(changed);
    const json = changed === undefined ? undefined : filterJson(changed, fields.kindOf);
    const rest = Object.entries(step.config).filter(([name]) => name !== field);
    change(
      field === undefined ? { ...json } : Object.fromEntries(json === undefined ? rest : [...rest, [field, json]]),
    );
  };
  if (group === undefined) {
    return (
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => set({ match: 'all', items: [ruleFor(fields.first, 'any')] })}
      >
        {t(field === undefined ? 'automations:addCondition' : 'automations:addFilter')}
      </Button>
    );
  }
  return (
    <>
      <FilterBuilder fields={fields} group={group} change={set} remove={() => set(undefined)} />
      <p className="quiet">{t('automations:ruleText')}</p>
    </>
  );
}

/** Fields of the events that start the automation, and of the contact. Others can be typed. */
function useRuleFields(draft: AutomationDraft, isOfEvent: boolean): FilterFields {
  const { t } = useTranslation();
  const events = useQuery(eventsQuery).data;
  const properties = useQuery({ ...propertiesQuery, enabled: !isOfEvent }).data;
  return useMemo(() => {
    const listening = new Set(draft.steps.map(({ config }) => config.event_name));
    const ofEvents = new Set(
      (events ?? []).filter(({ name }) => listening.has(name)).flatMap(({ schema }) => Object.keys(schema ?? {})),
    );
    const field = (value: string, kind: FieldKind): FilterField => ({ value, label: value, kind });
    const groups = [
      { group: t('automations:payload'), items: [...ofEvents].map((name) => field(`event.${name}`, 'any')) },
      {
        group: t('automations:contact'),
        items: isOfEvent
          ? []
          : [
              ...['email', 'first_name', 'last_name'].map((name) => field(`contact.${name}`, 'text')),
              field('contact.unsubscribed', 'flag'),
              ...(properties ?? []).map(({ key, type }) =>
                field(`properties.${key}`, type === 'number' ? 'number' : 'text'),
              ),
            ],
      },
    ].filter(({ items }) => items.length > 0);
    const kinds = new Map(groups.flatMap(({ items }) => items.map(({ value, kind }) => [value, kind])));
    return {
      groups,
      first: `event.${[...ofEvents][0] ?? ''}`,
      matches: ['all', 'any'],
      isOpen: true,
      kindOf: (name) => kinds.get(name) ?? 'any',
      labelOf: (name) => name,
    };
  }, [draft, events, isOfEvent, properties, t]);
}
