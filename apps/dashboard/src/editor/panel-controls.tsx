import {
  ActionIcon,
  Autocomplete,
  Button,
  ColorInput,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { AlignCenter, AlignLeft, AlignRight, ImagePlus, Plus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { networkName } from './node-views';
import { shownSource, isShown } from './block-styles';
import { withScheme } from './bubble-bar';
import type { PanelField } from './panel-fields';
import styles from './editor.module.css';

const RuleField = lazy(async () => ({ default: (await import('./rule-field')).RuleField }));

/** What fields need beside their value. */
export interface PanelHelp {
  readonly colors: readonly string[];
  readonly lists: readonly string[];
  /** Merge tags that may stand in links and texts. */
  readonly tags: readonly string[];
  /** Opens the library; undefined where there is none. */
  readonly chooseImage?: (choose: (image: { src: string; alt: string; width: number }) => void) => void;
}

interface ControlProps {
  readonly field: PanelField;
  readonly type: string;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  readonly help: PanelHelp;
  readonly change: (value: unknown) => void;
  /** Several settings at once. */
  readonly changeAll: (values: Readonly<Record<string, unknown>>) => void;
}

/** One setting of a block. */
export function PanelFieldControl({ field, type, attrs, readOnly, help, change, changeAll }: ControlProps) {
  const { t } = useTranslation();
  const { name, kind, options = [], min, max, usual } = field;
  const value = attrs[name];
  const label = t([`editor:field.${type}.${name}`, `editor:field.${name}`]);
  const text = typeof value === 'string' ? value : '';
  const shared = { label, readOnly };
  switch (kind) {
    case 'text':
      if (name === 'list') {
        return (
          <Autocomplete
            {...shared}
            description={t('editor:panel.listText')}
            data={[...help.lists]}
            value={text}
            onChange={change}
          />
        );
      }
      return (
        <TextInput
          {...shared}
          value={text}
          description={name === 'alt' ? t('editor:panel.altText') : undefined}
          placeholder={name === 'unsubscribe' ? t('editor:first.unsubscribe') : undefined}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'textarea':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={8}
          value={text}
          placeholder={name === 'address' ? t('editor:panel.addressText') : undefined}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'code':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={8}
          maxRows={24}
          value={text}
          spellCheck={false}
          classNames={{ input: styles.codeInput ?? '' }}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'link':
      return (
        <Autocomplete
          {...shared}
          placeholder="https://"
          data={help.tags.filter((tag) => /URL|link|href/i.test(tag))}
          value={text}
          onChange={change}
          onBlur={() => (text === '' ? undefined : change(withScheme(text)))}
        />
      );
    case 'image':
      return (
        <ImageField
          label={label}
          readOnly={readOnly}
          text={text}
          help={help}
          change={change}
          choose={({ src, alt }) => changeAll({ [name]: src, ...('alt' in attrs && alt !== '' ? { alt } : {}) })}
        />
      );
    case 'color':
      return (
        <ColorInput
          {...shared}
          value={text}
          placeholder={t('editor:panel.fromStyles')}
          format="hex"
          swatches={[...help.colors]}
          eyeDropperButtonProps={{ 'aria-label': t('editor:panel.pick') }}
          onChange={(color) => (color === '' || /^#[\da-f]{6}$/i.test(color) ? change(color) : undefined)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...shared}
          min={min}
          max={max}
          step={name === 'lineHeight' ? 0.1 : 1}
          decimalScale={name === 'lineHeight' ? 2 : 0}
          placeholder={usual ?? t('editor:panel.auto')}
          value={typeof value === 'number' ? value : ''}
          onChange={(number) => change(typeof number === 'number' ? number : undefined)}
        />
      );
    case 'percent':
      return (
        <NumberInput
          {...shared}
          min={min}
          max={max}
          suffix=" %"
          placeholder={usual === undefined ? t('editor:panel.auto') : `${usual} %`}
          value={typeof value === 'number' ? value : text === '' ? '' : Number.parseFloat(text)}
          onChange={(number) =>
            change(typeof number === 'number' ? (type === 'horizontalRule' ? number : `${number}%`) : undefined)
          }
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={options.map((option) => ({
            value: option,
            label: t([`editor:option.${name}.${option}`, `editor:option.${option}`]),
          }))}
          value={typeof value === 'number' || typeof value === 'string' ? String(value) : (usual ?? options[0] ?? null)}
          allowDeselect={false}
          onChange={change}
        />
      );
    case 'switch':
      return (
        <Switch
          label={label}
          disabled={readOnly}
          checked={usual === 'true' ? value !== false : value === true}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            change(usual === 'true' ? (checked ? undefined : false) : checked ? true : undefined);
          }}
        />
      );
    case 'alignment':
      return (
        <div>
          <span className={styles.fieldLabel}>{label}</span>
          <SegmentedControl
            aria-label={label}
            readOnly={readOnly}
            value={text === '' ? (usual ?? 'left') : text}
            onChange={change}
            data={[
              { value: 'left', label: <AlignLeft size={15} aria-label={t('editor:option.left')} /> },
              { value: 'center', label: <AlignCenter size={15} aria-label={t('editor:option.center')} /> },
              { value: 'right', label: <AlignRight size={15} aria-label={t('editor:option.right')} /> },
            ]}
          />
        </div>
      );
    case 'time':
      return (
        <TextInput
          {...shared}
          type="datetime-local"
          description={Intl.DateTimeFormat().resolvedOptions().timeZone}
          value={localTime(text)}
          onChange={(event) => {
            const at = new Date(event.currentTarget.value);
            if (!Number.isNaN(at.getTime())) change(at.toISOString());
          }}
        />
      );
    case 'rule':
      return (
        <Suspense fallback={null}>
          <RuleField value={value} readOnly={readOnly} change={change} />
        </Suspense>
      );
    case 'links':
    case 'items':
      return (
        <ListField label={label} kind={kind} value={value} readOnly={readOnly} options={options} change={change} />
      );
  }
}

function localTime(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ImageFieldProps {
  readonly label: string;
  readonly readOnly: boolean;
  readonly text: string;
  readonly help: PanelHelp;
  readonly change: (value: unknown) => void;
  readonly choose: (image: { readonly src: string; readonly alt: string }) => void;
}

function ImageField({ label, readOnly, text, help, change, choose }: ImageFieldProps) {
  const { t } = useTranslation();
  const { chooseImage } = help;
  return (
    <Stack gap={8}>
      {text !== '' && isShown(text) ? <img src={shownSource(text)} alt="" className={styles.thumb} /> : null}
      <TextInput
        label={label}
        readOnly={readOnly}
        placeholder="https://"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => (text === '' ? undefined : change(withScheme(text)))}
      />
      {readOnly || chooseImage === undefined ? null : (
        <Button variant="default" leftSection={<ImagePlus size={14} aria-hidden />} onClick={() => chooseImage(choose)}>
          {t('editor:images.choose')}
        </Button>
      )}
    </Stack>
  );
}

interface ListFieldProps {
  readonly label: string;
  readonly kind: 'links' | 'items';
  readonly value: unknown;
  readonly readOnly: boolean;
  readonly options: readonly string[];
  readonly change: (value: unknown) => void;
}

type Item = Readonly<Record<string, string | undefined>>;

/** Links of a menu, or to profiles. */
function ListField({ label, kind, value, readOnly, options, change }: ListFieldProps) {
  const { t } = useTranslation();
  const items = (Array.isArray(value) ? value : []) as readonly Item[];
  const last = useRef<HTMLDivElement>(null);
  const put = (no: number, item: Item | undefined): void =>
    change(items.flatMap((known, at) => (at === no ? (item === undefined ? [] : [item]) : [known])));
  return (
    <fieldset className={styles.listField}>
      <legend className={styles.fieldLabel}>{label}</legend>
      {items.map((item, no) => (
        <div key={no} ref={last} className={styles.listItem}>
          {kind === 'links' ? (
            <Select
              aria-label={t('editor:field.network')}
              data={options.map((network) => ({ value: network, label: networkName(network) }))}
              value={item.network ?? null}
              searchable
              allowDeselect={false}
              readOnly={readOnly}
              onChange={(network) => put(no, { ...item, network: network ?? 'website' })}
            />
          ) : (
            <TextInput
              aria-label={t('editor:field.label')}
              value={item.label ?? ''}
              readOnly={readOnly}
              onChange={(event) => put(no, { ...item, label: event.currentTarget.value })}
            />
          )}
          <TextInput
            aria-label={t('editor:field.href')}
            placeholder="https://"
            value={item.href ?? ''}
            readOnly={readOnly}
            onChange={(event) => put(no, { ...item, href: event.currentTarget.value })}
            onBlur={() =>
              (item.href ?? '') === '' ? undefined : put(no, { ...item, href: withScheme(item.href ?? '') })
            }
          />
          {readOnly ? null : (
            <ActionIcon aria-label={t('editor:panel.remove')} onClick={() => put(no, undefined)}>
              <Trash2 size={14} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {readOnly || items.length >= 12 ? null : (
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() =>
            change([...items, kind === 'links' ? { network: 'website' } : { label: t('editor:first.link') }])
          }
        >
          {t('editor:panel.add')}
        </Button>
      )}
    </fieldset>
  );
}
