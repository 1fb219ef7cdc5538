import { Button, Flex, Menu, Popover, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Check, ListFilter, Search, X, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../frame/shortcuts';
import { useSearchValues } from '../parts/location';
import styles from './filters.module.css';

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** One filter. Its value lives in the URL under `key`. */
export interface Filter {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Where given, one of these is chosen; otherwise text is typed. */
  readonly choices?: readonly FilterChoice[];
  readonly placeholder?: string;
  readonly inputType?: 'text' | 'date';
}

export type FilterValues = Readonly<Record<string, string | undefined>>;

/** The values of the filters in the URL, and how to change them. */
export function useFilters(keys: readonly string[]): [FilterValues, (changes: FilterValues) => void] {
  const search = useSearchValues();
  const navigate = useNavigate();
  const values = Object.fromEntries(keys.map((key) => [key, search[key]]));
  const change = (changes: FilterValues): void =>
    void navigate({ to: '.', search: (known: object) => ({ ...known, ...changes }), replace: true });
  return [values, change];
}

interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  readonly change: (changes: FilterValues) => void;
  /** Placeholder of the search field, whose value is `q`. Without it there is none. */
  readonly search?: string;
  /** At the right: columns, export. */
  readonly children?: ReactNode;
}

export function FilterBar({ filters, values, change, search, children }: FilterBarProps) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<string>();
  const set = filters.filter(({ key }) => values[key] !== undefined || key === editing);
  const left = filters.filter((filter) => !set.includes(filter));
  return (
    <div className={styles.bar}>
      {search === undefined ? null : (
        <SearchField placeholder={search} value={values.q ?? ''} change={(q) => change({ q: q || undefined })} />
      )}
      {set.map((filter) => (
        <FilterChip
          key={filter.key}
          filter={filter}
          value={values[filter.key]}
          opened={editing === filter.key}
          open={(opened) => setEditing(opened ? filter.key : undefined)}
          change={(value) => change({ [filter.key]: value })}
        />
      ))}
      {left.length === 0 ? null : (
        <Menu>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<ListFilter size={14} aria-hidden />}
              className={styles.add}
            >
              {t('list:filter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {left.map(({ key, label, icon: Icon }) => (
              <Menu.Item key={key} leftSection={<Icon size={15} aria-hidden />} onClick={() => setEditing(key)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {set.length < 2 ? null : (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => change(Object.fromEntries(filters.map(({ key }) => [key, undefined])))}
        >
          {t('list:clear')}
        </Button>
      )}
      <div className={styles.tools}>{children}</div>
    </div>
  );
}

interface ChipProps {
  readonly filter: Filter;
  readonly value: string | undefined;
  readonly opened: boolean;
  readonly open: (opened: boolean) => void;
  readonly change: (value: string | undefined) => void;
}

function FilterChip({ filter, value, opened, open, change }: ChipProps) {
  const { t, i18n } = useTranslation();
  const { icon: Icon, label, choices } = filter;
  const shown = value === undefined ? '…' : shownValue(filter, value, i18n.language);
  const choose = (chosen: string | undefined): void => {
    change(chosen);
    open(false);
  };
  return (
    <span className={styles.chip}>
      <Popover opened={opened} onChange={open} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={styles.chipText} onClick={() => open(!opened)}>
            <Icon size={13} aria-hidden />
            <span className="quiet">{label}</span>
            <span className={styles.value}>{shown}</span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          {choices === undefined ? (
            <TextValue filter={filter} value={value} choose={choose} />
          ) : (
            <div className={styles.choices}>
              {choices.map((choice) => (
                <UnstyledButton key={choice.value} className={styles.choice} onClick={() => choose(choice.value)}>
                  <span>{choice.label}</span>
                  {value?.split(',').includes(choice.value) === true ? <Check size={14} aria-hidden /> : null}
                </UnstyledButton>
              ))}
            </div>
          )}
        </Popover.Dropdown>
      </Popover>
      <UnstyledButton
        className={styles.remove}
        aria-label={t('list:removeFilter', { filter: label })}
        onClick={() => choose(undefined)}
      >
        <X size={12} aria-hidden />
      </UnstyledButton>
    </span>
  );
}

/** Several choices are separated by commas. A moment, as a link of a chart has it, is told in local time. */
function shownValue({ choices, inputType }: Filter, value: string, language: string): string {
  if (choices !== undefined) {
    const labels = value.split(',').map((one) => choices.find((choice) => choice.value === one)?.label ?? one);
    return new Intl.ListFormat(language, { type: 'disjunction' }).format(labels);
  }
  if (inputType !== 'date' || Number.isNaN(Date.parse(value))) return value;
  return value.includes('T')
    ? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value))
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value));
}

function TextValue({
  filter,
  value,
  choose,
}: Pick<ChipProps, 'filter' | 'value'> & { readonly choose: ChipProps['change'] }) {
  const { t } = useTranslation();
  const [text, setText] = useState((filter.inputType === 'date' ? value?.slice(0, 10) : value) ?? '');
  return (
    <Flex
      component="form"
      gap={6}
      p={4}
      onSubmit={(event) => {
        event.preventDefault();
        choose(text.trim() || undefined);
      }}
    >
      <TextInput
        data-autofocus
        type={filter.inputType ?? 'text'}
        aria-label={filter.label}
        placeholder={filter.placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" h={36}>
        {t('list:apply')}
      </Button>
    </Flex>
  );
}

/** Answers while one types. `/` goes to it. */
function SearchField({
  placeholder,
  value,
  change,
}: {
  readonly placeholder: string;
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(change, 180);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value);
  }, [value]);
  useShortcuts([
    { keys: '/', label: t('list:keys.search'), group: t('list:keys.list'), run: () => field.current?.focus() },
  ]);
  return (
    <TextInput
      ref={field}
      className={styles.search}
      type="search"
      aria-label={placeholder}
      placeholder={placeholder}
      leftSection={<Search size={14} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        changeSoon(event.currentTarget.value.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') field.current?.blur();
      }}
    />
  );
}
