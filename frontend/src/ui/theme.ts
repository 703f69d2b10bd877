import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { darkRoles, lightRoles, type Roles } from './theme-roles.ts';

const petrol: MantineColorsTuple = [
  '#eef9fb',
  '#dff0f2',
  '#b9e4e9',
  '#8dd2da',
  '#5dbbc6',
  '#2c9da8',
  '#037a84',
  '#00636c',
  '#004f56',
  '#03393e',
];
const gray: MantineColorsTuple = [
  '#f6f8f8',
  '#eff3f3',
  '#e0e6e6',
  '#cfd7d7',
  '#b4bdbe',
  '#7f8b8d',
  '#5f6a6b',
  '#4b5556',
  '#2b3536',
  '#131b1c',
];
const dark: MantineColorsTuple = [
  '#e5e9ea',
  '#b4bdbf',
  '#8f9a9c',
  '#667376',
  '#384548',
  '#263133',
  '#1b2426',
  '#12191b',
  '#0d1415',
  '#0a1011',
];

const sans =
  '"Hanken Grotesk Variable", "Hanken fallback", var(--p-script-fonts, system-ui), system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono", monospace';

const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === 'filled' && (input.color ?? input.theme.primaryColor) === 'petrol') {
    return {
      background: 'var(--p-accent-fill)',
      hover: 'var(--p-accent-hover)',
      color: 'var(--p-on-accent)',
      border: '1px solid transparent',
    };
  }
  if (input.variant === 'filled' && input.color === 'red') {
    return {
      background: 'var(--p-danger-fill)',
      hover: 'var(--p-danger-fill)',
      color: 'var(--p-on-danger)',
      border: '1px solid transparent',
    };
  }
  if (input.variant === 'subtle') {
    const color = input.color === 'red' ? 'var(--p-danger)' : 'var(--p-text-2)';
    return { background: 'transparent', hover: 'var(--p-hover)', color, border: '1px solid transparent' };
  }
  if (input.variant === 'default') {
    const color = input.color === 'red' ? 'var(--p-danger)' : 'var(--p-text)';
    const border = '1px solid color-mix(in srgb, var(--p-line-strong) 55%, transparent)';
    return { background: 'var(--p-sheet)', hover: 'var(--p-hover)', color, border };
  }
  return defaultVariantColorsResolver(input);
};

const controlHeight: Record<string, string> = { xs: '1.75rem', sm: '2rem', md: '2.5rem' };
const controlFont: Record<string, string> = { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem' };
const controlPadding: Record<string, string> = { xs: '0.625rem', sm: '0.75rem', md: '1rem' };
const sizeOf = (props: Record<string, unknown>) => (typeof props['size'] === 'string' ? props['size'] : 'sm');

const inputVars = (_theme: unknown, props: Record<string, unknown>) => {
  const size = sizeOf(props);
  return { wrapper: { '--input-height': controlHeight[size], '--input-fz': controlFont[size] } };
};
const wrapperVars = () => ({
  label: { '--input-label-size': '0.8125rem' },
  error: { '--input-error-size': '0.8125rem' },
  description: { '--input-description-size': '0.8125rem' },
});

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 5 },
  colors: { petrol, gray, dark },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: sans,
  fontFamilyMonospace: mono,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '0.9375rem', xl: '1.0625rem' },
  lineHeights: { xs: '1.333', sm: '1.385', md: '1.43', lg: '1.6', xl: '1.35' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '0.875rem' },
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { size: 'sm', variant: 'filled' },
      vars: (_theme: unknown, props: Record<string, unknown>) => {
        const size = sizeOf(props);
        return {
          root: {
            '--button-height': controlHeight[size],
            '--button-fz': controlFont[size],
            '--button-padding-x': controlPadding[size],
          },
        };
      },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 30 } },
    Input: { defaultProps: { size: 'sm' }, vars: inputVars },
    InputWrapper: {
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      vars: wrapperVars,
    },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'none', transitionProps: { duration: 120 }, radius: 'md' } },
    Modal: {
      defaultProps: {
        radius: 'lg',
        transitionProps: { duration: 180 },
        centered: true,
        lockScroll: false,
        overlayProps: { color: '#0a1011', backgroundOpacity: 0.32 },
      },
    },
  },
});

const kebab = (name: string) =>
  name
    .replace(/([A-Z])/g, '-$1')
    .replace(/(\d)/g, '-$1')
    .toLowerCase();
const asVariables = (roles: Roles) =>
  Object.fromEntries(Object.entries(roles).map(([name, value]) => [`--p-${kebab(name)}`, value]));

const mantineRoles = {
  '--mantine-color-body': 'var(--p-canvas)',
  '--mantine-color-text': 'var(--p-text)',
  '--mantine-color-dimmed': 'var(--p-text-3)',
  '--mantine-color-placeholder': 'var(--p-text-3)',
  '--mantine-color-default': 'var(--p-sheet)',
  '--mantine-color-default-hover': 'var(--p-hover)',
  '--mantine-color-default-border': 'var(--p-line)',
  '--mantine-color-anchor': 'var(--p-accent)',
  '--mantine-color-error': 'var(--p-danger)',
  '--mantine-color-petrol-light': 'var(--p-selected)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...asVariables(lightRoles), ...mantineRoles },
  dark: { ...asVariables(darkRoles), ...mantineRoles },
});
