import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef0ff',
  '#dcdffd',
  '#b9bdf9',
  '#979bf4',
  '#7b7df0',
  '#6663ec',
  '#5b54e8',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
];

/** Mantine's components, with the sizes and the quiet of `docs/dashboard.md`. Colours come from `tokens.css`. */
export const theme = createTheme({
  colors: { indigo },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  activeClassName: '',
  components: {
    Button: { defaultProps: { size: 'xs', fz: 13, fw: 500, h: 32, px: 12 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right', comboboxProps: { shadow: 'none' } } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: false, fz: 12, py: 4, px: 8 } },
    Menu: { defaultProps: { shadow: 'none', offset: 4, radius: 8 } },
    Popover: { defaultProps: { shadow: 'none', offset: 4, radius: 8 } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 12,
        shadow: 'none',
        overlayProps: { backgroundOpacity: 0, color: 'transparent' },
      },
    },
    Checkbox: { defaultProps: { size: 'xs', radius: 4 } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Skeleton: { defaultProps: { radius: 4 } },
  },
});

/** Mantine's own colours, replaced by ours. Its defaults for quiet text and placeholders have too little contrast. */
export const cssVariables: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-default': 'var(--bg-raised)',
    '--mantine-color-default-hover': 'var(--bg-hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--bg-subtle)',
    '--mantine-color-disabled-color': 'var(--text-3)',
    '--mantine-color-disabled-border': 'var(--line)',
    '--mantine-color-indigo-light': 'var(--accent-soft)',
    '--mantine-color-indigo-light-hover': 'var(--bg-active)',
    '--mantine-color-indigo-light-color': 'var(--accent-text)',
    '--mantine-color-gray-light': 'var(--flat-soft)',
    '--mantine-color-gray-light-hover': 'var(--bg-active)',
    '--mantine-color-gray-light-color': 'var(--text-2)',
    '--mantine-color-red-light': 'var(--bad-soft)',
    '--mantine-color-red-light-hover': 'var(--bad-soft)',
    '--mantine-color-red-light-color': 'var(--bad)',
    '--mantine-color-red-filled': '#c8312c',
    '--mantine-color-red-filled-hover': '#b4231f',
    '--mantine-color-green-light': 'var(--good-soft)',
    '--mantine-color-green-light-color': 'var(--good)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};
