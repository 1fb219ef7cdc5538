import {
  Box,
  Button,
  ColorInput,
  Flex,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { ImagePlus, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isShown, shownSource } from '../../editor/block-styles';
import { fontStacks, type EmailStyles } from '../../logic/email-styles';
import { Section } from '../../parts/section';
import styles from './styles.module.css';

const ImageLibrary = lazy(async () => ({ default: (await import('../../editor/image-library')).ImageLibrary }));

/** What the team has set; everything else is as usual. */
export type DraftStyles = Readonly<Record<string, unknown>> & { readonly dark?: Readonly<Record<string, string>> };

interface StyleFieldsProps {
  readonly given: DraftStyles;
  /** What applies where nothing is set. */
  readonly complete: EmailStyles;
  readonly readOnly: boolean;
  readonly change: (changes: DraftStyles) => void;
}

const colors = ['button', 'buttonText', 'link', 'heading', 'text', 'muted', 'background', 'content', 'line'] as const;
const darkColors = ['background', 'content', 'heading', 'text', 'link', 'button'] as const;
const weights = ['400', '500', '600', '700', '800'];
const shapes = { square: 0, soft: 4, rounded: 8, pill: 40 } as const;

function textIn(given: DraftStyles, name: string): string {
  const value = given[name];
  return typeof value === 'string' ? value : '';
}

export function StyleFields(props: StyleFieldsProps) {
  const { given, complete, readOnly, change } = props;
  const { t } = useTranslation();
  const label = (name: string): string => t(`templates:styles.field.${name}`);
  const text = (name: string): string => textIn(given, name);
  const number = (
    name: 'fontSize' | 'lineHeight' | 'width' | 'padding' | 'corners',
    min: number,
    max: number,
    step = 1,
  ) => (
    <NumberInput
      label={label(name)}
      value={(given[name] as number | undefined) ?? ''}
      placeholder={String(complete[name])}
      min={min}
      max={max}
      step={step}
      decimalScale={step < 1 ? 2 : 0}
      clampBehavior="blur"
      readOnly={readOnly}
      onChange={(value) => change({ [name]: value === '' ? undefined : Number(value) })}
    />
  );
  const font = (name: 'font' | 'headingFont') => (
    <Select
      label={label(name)}
      data={Object.keys(fontStacks).map((value) => ({ value, label: t(`templates:styles.font.${value}`) }))}
      value={text(name) === '' ? null : text(name)}
      placeholder={t(`templates:styles.font.${complete[name]}`)}
      clearable
      readOnly={readOnly}
      onChange={(value) => change({ [name]: value ?? undefined })}
    />
  );
  const radius = given.buttonRadius ?? complete.buttonRadius;
  return (
    <>
      <Section title={t('templates:styles.group.brand')}>
        <LogoField {...props} />
        <TextInput
          label={label('company')}
          value={text('company')}
          maxLength={200}
          readOnly={readOnly}
          onChange={(event) => change({ company: event.currentTarget.value })}
        />
        <Textarea
          label={label('address')}
          description={t('templates:styles.addressText')}
          value={text('address')}
          autosize
          minRows={2}
          maxLength={500}
          readOnly={readOnly}
          onChange={(event) => change({ address: event.currentTarget.value })}
        />
        <TextInput
          label={label('website')}
          placeholder="https://example.com"
          value={text('website')}
          maxLength={2_000}
          readOnly={readOnly}
          onChange={(event) => change({ website: event.currentTarget.value })}
        />
      </Section>
      <Section title={t('templates:styles.group.colors')}>
        <div className={styles.grid}>
          {colors.map((name) => (
            <ColorField
              key={name}
              label={label(name)}
              value={text(name)}
              usual={complete[name]}
              readOnly={readOnly}
              change={(value) => change({ [name]: value })}
            />
          ))}
        </div>
      </Section>
      <Section title={t('templates:styles.group.dark')} text={t('templates:styles.darkText')}>
        <div className={styles.grid}>
          {darkColors.map((name) => (
            <ColorField
              key={name}
              label={label(name)}
              value={given.dark?.[name] ?? ''}
              usual={complete.dark[name] ?? ''}
              readOnly={readOnly}
              change={(value) => {
                const { [name]: _, ...others } = given.dark ?? {};
                const dark = value === '' ? others : { ...others, [name]: value };
                change({ dark: Object.keys(dark).length === 0 ? undefined : dark });
              }}
            />
          ))}
        </div>
      </Section>
      <Section title={t('templates:styles.group.type')}>
        <div className={styles.grid}>
          {font('font')}
          {font('headingFont')}
          <Select
            label={label('headingWeight')}
            data={weights}
            value={String(typeof given.headingWeight === 'number' ? given.headingWeight : complete.headingWeight)}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(value) => change({ headingWeight: Number(value) })}
          />
          {number('fontSize', 12, 22)}
          {number('lineHeight', 1.1, 2.2, 0.05)}
          <Select
            label={label('alignment')}
            data={['left', 'center'].map((value) => ({ value, label: t(`editor:option.${value}`) }))}
            value={text('alignment') === '' ? complete.alignment : text('alignment')}
            allowDeselect={false}
            readOnly={readOnly}
            onChange={(value) => change({ alignment: value ?? undefined })}
          />
        </div>
      </Section>
      <Section title={t('templates:styles.group.layout')}>
        <div className={styles.grid}>
          {number('width', 320, 900, 10)}
          {number('padding', 0, 80, 2)}
          {number('corners', 0, 40)}
        </div>
        <div>
          <Box component="p" mb={4} c="var(--text)" fw={500} fz={13}>
            {label('buttonRadius')}
          </Box>
          <SegmentedControl
            aria-label={label('buttonRadius')}
            readOnly={readOnly}
            value={Object.entries(shapes).find(([, value]) => value === radius)?.[0] ?? ''}
            onChange={(value) => change({ buttonRadius: shapes[value as keyof typeof shapes] })}
            data={Object.keys(shapes).map((value) => ({ value, label: t(`templates:styles.shape.${value}`) }))}
          />
        </div>
        <Switch
          label={label('buttonOutline')}
          checked={given.buttonOutline === true}
          disabled={readOnly}
          onChange={(event) => change({ buttonOutline: event.currentTarget.checked || undefined })}
        />
      </Section>
    </>
  );
}

interface ColorFieldProps {
  readonly label: string;
  readonly value: string;
  readonly usual: string;
  readonly readOnly: boolean;
  readonly change: (value: string) => void;
}

/** An empty field: the color follows from the others. */
function ColorField({ label, value, usual, readOnly, change }: ColorFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  return (
    <ColorInput
      label={label}
      value={typed ?? value}
      placeholder={usual}
      format="hex"
      readOnly={readOnly}
      eyeDropperButtonProps={{ 'aria-label': t('editor:panel.pick') }}
      styles={value === '' ? { colorPreview: { opacity: 0.5 } } : undefined}
      onChange={(next) => {
        // While somebody types, it is not a color yet.
        setTyped(next);
        if (next === '' || /^#[\da-f]{6}$/i.test(next)) change(next);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

function LogoField({ given, complete, readOnly, change }: StyleFieldsProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const logo = textIn(given, 'logo');
  return (
    <>
      <Flex gap={16} align="center">
        <div className={styles.logoBox}>
          {logo === '' ? (
            <span className="quiet">{t('templates:styles.noLogo')}</span>
          ) : isShown(logo) ? (
            <img src={shownSource(logo)} alt={textIn(given, 'logoAlt')} />
          ) : (
            <span className="quiet cut">{logo}</span>
          )}
        </div>
        {readOnly ? null : (
          <Stack gap={4} align="flex-start">
            <Button variant="default" leftSection={<ImagePlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
              {t('templates:styles.chooseLogo')}
            </Button>
            {logo === '' ? null : (
              <Button
                variant="subtle"
                color="red"
                leftSection={<Trash2 size={14} aria-hidden />}
                onClick={() => change({ logo: undefined, logoAlt: undefined })}
              >
                {t('templates:styles.removeLogo')}
              </Button>
            )}
          </Stack>
        )}
      </Flex>
      {logo === '' ? null : (
        <div className={styles.grid}>
          <TextInput
            label={t('templates:styles.field.logoAlt')}
            value={textIn(given, 'logoAlt')}
            maxLength={200}
            readOnly={readOnly}
            onChange={(event) => change({ logoAlt: event.currentTarget.value })}
          />
          <NumberInput
            label={t('templates:styles.field.logoWidth')}
            value={(given.logoWidth as number | undefined) ?? ''}
            placeholder={String(complete.logoWidth)}
            min={16}
            max={600}
            clampBehavior="blur"
            readOnly={readOnly}
            onChange={(value) => change({ logoWidth: value === '' ? undefined : Number(value) })}
          />
        </div>
      )}
      {isOpen ? (
        <Suspense fallback={null}>
          <ImageLibrary
            close={() => setOpen(false)}
            choose={(image) => {
              change({ logo: image.src, ...(image.alt === '' ? {} : { logoAlt: image.alt }) });
              setOpen(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
