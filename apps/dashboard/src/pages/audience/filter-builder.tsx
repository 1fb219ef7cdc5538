import { ActionIcon, Autocomplete, Button, NumberInput, Select, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  isGroup,
  maxFilterDepth,
  operatorsOf,
  ruleFor,
  valueOf,
  withItem,
  type FilterGroup,
  type FilterRule,
} from '../../logic/segment-filter';
import styles from './audience.module.css';
import type { FilterFields } from './filter-fields';

interface FilterBuilderProps {
  readonly fields: FilterFields;
  readonly group: FilterGroup;
  readonly change: (group: FilterGroup) => void;
  readonly remove?: () => void;
  readonly depth?: number;
}

/** Rules in groups: all, any or none of them must hold. */
export function FilterBuilder({ fields, group, change, remove, depth = 1 }: FilterBuilderProps) {
  const { t } = useTranslation();
  const add = (item: FilterGroup['items'][number]): void => change({ ...group, items: [...group.items, item] });
  const newRule = (): FilterRule => ruleFor(fields.first, fields.kindOf(fields.first), 'ends_with');
  return (
    <div className={styles.group} role="group" aria-label={t(`audience:filter.match.${group.match}`)}>
      <div className={styles.groupHead}>
        <Select
          aria-label={t('audience:filter.matching')}
          data={fields.matches.map((match) => ({ value: match, label: t(`audience:filter.match.${match}`) }))}
          value={group.match}
          allowDeselect={false}
          w={260}
          onChange={(match) => change({ ...group, match: match ?? 'all' })}
        />
        {remove === undefined ? null : (
          <ActionIcon aria-label={t('audience:filter.removeGroup')} onClick={remove}>
            <X size={15} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {group.items.map((item, index) =>
        isGroup(item) ? (
          <FilterBuilder
            key={index}
            fields={fields}
            group={item}
            depth={depth + 1}
            change={(changed) => change(withItem(group, index, changed))}
            remove={() => change(withItem(group, index, undefined))}
          />
        ) : (
          <RuleRow
            key={index}
            fields={fields}
            rule={item}
            change={(changed) => change(withItem(group, index, changed))}
          />
        ),
      )}
      <div className={styles.groupHead}>
        <Button variant="subtle" leftSection={<Plus size={14} aria-hidden />} onClick={() => add(newRule())}>
          {t('audience:filter.addRule')}
        </Button>
        {depth < maxFilterDepth ? (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => add({ match: 'any', items: [newRule()] })}
            ml={0}
          >
            {t('audience:filter.addGroup')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface RuleRowProps {
  readonly fields: FilterFields;
  readonly rule: FilterRule;
  readonly change: (rule: FilterRule | undefined) => void;
}

function RuleRow({ fields, rule, change }: RuleRowProps) {
  const { t } = useTranslation();
  const kind = fields.kindOf(rule.field);
  return (
    <div className={styles.rule}>
      <FieldChoice
        fields={fields}
        field={rule.field}
        change={(field) => change(ruleFor(field, fields.kindOf(field), rule.operator))}
      />
      <Select
        aria-label={t('audience:filter.operatorLabel')}
        data={operatorsOf(kind).map((operator) => ({ value: operator, label: operatorLabel(t, kind, operator) }))}
        value={rule.operator}
        allowDeselect={false}
        onChange={(operator) => {
          if (operator === null) return;
          const isSame = valueOf(kind, operator) === valueOf(kind, rule.operator);
          const fresh = ruleFor(rule.field, kind, operator);
          change(isSame ? { ...fresh, value: rule.value } : fresh);
        }}
      />
      <ValueField rule={rule} fields={fields} change={(value) => change({ ...rule, value })} />
      <ActionIcon aria-label={t('audience:filter.removeRule')} onClick={() => change(undefined)}>
        <X size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface FieldChoiceProps {
  readonly fields: FilterFields;
  readonly field: string;
  readonly change: (field: string) => void;
}

function FieldChoice({ fields, field, change }: FieldChoiceProps) {
  const { t } = useTranslation();
  const shared = {
    'aria-label': t('audience:filter.fieldLabel'),
    data: fields.groups.map(({ group, items }) => ({
      group,
      items: items.map(({ value, label }) => (fields.isOpen ? value : { value, label })),
    })),
  };
  if (fields.isOpen) return <Autocomplete {...shared} value={field} maxLength={255} onChange={change} />;
  return (
    <Select
      {...shared}
      value={field}
      allowDeselect={false}
      searchable
      onChange={(chosen) => (chosen === null ? undefined : change(chosen))}
    />
  );
}

interface ValueFieldProps {
  readonly rule: FilterRule;
  readonly fields: FilterFields;
  readonly change: (value: string) => void;
}

function ValueField({ rule, fields, change }: ValueFieldProps) {
  const { t } = useTranslation();
  const label = t('audience:filter.valueLabel');
  const kind = valueOf(fields.kindOf(rule.field), rule.operator);
  switch (kind) {
    case 'none':
      return <span />;
    case 'flag':
    case 'subscription': {
      const values = kind === 'flag' ? ['true', 'false'] : ['opt_in', 'opt_out'];
      return (
        <Select
          aria-label={label}
          data={values.map((value) => ({ value, label: t(`audience:filter.value.${value}`) }))}
          value={rule.value}
          allowDeselect={false}
          onChange={(value) => change(value ?? '')}
        />
      );
    }
    case 'days':
    case 'number':
      return (
        <NumberInput
          aria-label={label}
          value={rule.value}
          min={kind === 'days' ? 1 : undefined}
          max={kind === 'days' ? 3_650 : undefined}
          allowDecimal={kind === 'number'}
          suffix={kind === 'days' ? ` ${t('audience:filter.days')}` : undefined}
          onChange={(value) => change(String(value))}
        />
      );
    default:
      return (
        <TextInput
          aria-label={label}
          type={kind === 'date' ? 'date' : 'text'}
          value={rule.value}
          maxLength={500}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
  }
}

type Translate = (key: string) => string;

/** "is a member" says more than "exists". */
export function operatorLabel(t: Translate, kind: string, operator: string): string {
  const isSpecial =
    ((kind === 'segment' || kind === 'activity') && (operator === 'exists' || operator === 'is_empty')) ||
    (kind === 'time' && !operator.endsWith('within_days'));
  return t(`audience:filter.operator.${isSpecial ? `${kind}_${operator}` : operator}`);
}

/** A filter in words, for those who read it. */
export function FilterText({ fields, group }: { readonly fields: FilterFields; readonly group: FilterGroup }) {
  const { t } = useTranslation();
  return (
    <div className={styles.tree}>
      <strong>{t(`audience:filter.match.${group.match}`)}</strong>
      <ul className={styles.tree}>
        {group.items.map((item, index) => (
          <li key={index}>
            {isGroup(item) ? <FilterText fields={fields} group={item} /> : <RuleText fields={fields} rule={item} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function RuleText({ fields, rule }: { readonly fields: FilterFields; readonly rule: FilterRule }) {
  const { t } = useTranslation();
  const kind = fields.kindOf(rule.field);
  const shape = valueOf(kind, rule.operator);
  const isWord = shape === 'flag' || shape === 'subscription';
  return (
    <span>
      {fields.labelOf(rule.field)} <span className="quiet">{operatorLabel(t, kind, rule.operator)}</span>{' '}
      {shape === 'none' ? null : isWord ? (
        t(`audience:filter.value.${rule.value}`)
      ) : (
        <code>{shape === 'days' ? `${rule.value} ${t('audience:filter.days')}` : rule.value}</code>
      )}
    </span>
  );
}
