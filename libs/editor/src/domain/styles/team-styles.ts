import { ValidationError } from '#kernel';
import {
  Attribute,
  color,
  flag,
  link,
  number,
  oneOf,
  readAttributes,
  Refused,
  source,
  text,
} from '../document/attribute.js';
import { contrast, mixed, readableOn } from './colors.js';

/** Colors by what they are for. */
export interface Palette {
  /** Behind the email. */
  readonly background: string;
  /** Behind its content. */
  readonly content: string;
  readonly text: string;
  readonly heading: string;
  readonly muted: string;
  readonly link: string;
  /** Dividing lines and borders. */
  readonly line: string;
  readonly button: string;
  readonly buttonText: string;
}

/** How the emails of a team look. Everything that a block does not say itself comes from here. */
export interface TeamStyles extends Palette {
  readonly font: FontName;
  readonly headingFont: FontName;
  readonly headingWeight: number;
  /** Pixels. */
  readonly fontSize: number;
  readonly lineHeight: number;
  /** Pixels of the content. */
  readonly width: number;
  /** Pixels at the sides of the content. */
  readonly padding: number;
  /** Pixels of the corners of the content. */
  readonly corners: number;
  /** Pixels of the corners of buttons. */
  readonly buttonRadius: number;
  readonly buttonOutline: boolean;
  readonly alignment: 'left' | 'center';
  /** Where mail programs show emails on black. Colors that are not set follow from the others. */
  readonly dark: Palette;
  readonly company: string;
  /** Stands in each footer. */
  readonly address: string;
  readonly logo: string;
  readonly logoAlt: string;
  readonly logoWidth: number;
  readonly website: string;
}

const fonts = {
  system: "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif",
  inter: "Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Arial,sans-serif",
  helvetica: "'Helvetica Neue',Helvetica,Arial,sans-serif",
  arial: 'Arial,Helvetica,sans-serif',
  verdana: 'Verdana,Geneva,sans-serif',
  tahoma: 'Tahoma,Geneva,sans-serif',
  trebuchet: "'Trebuchet MS',Tahoma,sans-serif",
  georgia: "Georgia,Cambria,'Times New Roman',serif",
  times: "'Times New Roman',Times,serif",
  palatino: "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif",
  courier: "'Courier New',Courier,monospace",
} as const;
export type FontName = keyof typeof fonts;
export const fontNames = Object.keys(fonts) as readonly FontName[];
export const monospace = "SFMono-Regular,Menlo,Consolas,'Courier New',monospace";

export function fontStack(name: FontName): string {
  return fonts[name];
}

const palette: Readonly<Record<keyof Palette, Attribute>> = {
  background: color,
  content: color,
  text: color,
  heading: color,
  muted: color,
  link: color,
  line: color,
  button: color,
  buttonText: color,
};

const attributes: Readonly<Record<Exclude<keyof TeamStyles, 'dark'>, Attribute>> = {
  ...palette,
  font: oneOf(...fontNames),
  headingFont: oneOf(...fontNames),
  headingWeight: number(400, 800),
  fontSize: number(12, 22),
  lineHeight: number(1.1, 2.2, 2),
  width: number(320, 900),
  padding: number(0, 80),
  corners: number(0, 40),
  buttonRadius: number(0, 40),
  buttonOutline: flag(),
  alignment: oneOf('left', 'center'),
  company: text(200),
  address: text(500),
  logo: source,
  logoAlt: text(200),
  logoWidth: number(16, 600),
  website: link,
};

/** The styles that somebody has set. */
export type GivenStyles = Partial<Omit<TeamStyles, 'dark'>> & { readonly dark?: Partial<Palette> };

/** Reads styles of a request, or of a document. Unknown keys are left out. */
export function parseStyles(given: unknown): GivenStyles {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw new ValidationError('The `styles` must be an object.');
  const { dark, ...light } = given as Readonly<Record<string, unknown>>;
  try {
    const read = readAttributes(attributes, light, () => undefined) as GivenStyles;
    if (typeof dark !== 'object' || dark === null) return read;
    const darkColors = readAttributes(
      palette,
      dark as Readonly<Record<string, unknown>>,
      () => undefined,
    ) as Partial<Palette>;
    return Object.keys(darkColors).length === 0 ? read : { ...read, dark: darkColors };
  } catch (error) {
    if (error instanceof Refused) throw new ValidationError(`In the styles, ${error.message}.`);
    throw error;
  }
}

export const usualStyles: Omit<TeamStyles, 'dark'> = {
  background: '#f3f3f5',
  content: '#ffffff',
  text: '#33353d',
  heading: '#16171c',
  muted: '#676a76',
  link: '#4338ca',
  line: '#e3e4e9',
  button: '#16171c',
  buttonText: '#ffffff',
  font: 'system',
  headingFont: 'system',
  headingWeight: 700,
  fontSize: 16,
  lineHeight: 1.6,
  width: 600,
  padding: 40,
  corners: 12,
  buttonRadius: 8,
  buttonOutline: false,
  alignment: 'left',
  company: '',
  address: '',
  logo: '',
  logoAlt: '',
  logoWidth: 120,
  website: '',
};

const usualDark = {
  background: '#111216',
  content: '#1b1c21',
  text: '#d3d4da',
  heading: '#f6f6f8',
  muted: '#a0a3ae',
  line: '#34363e',
};

/** The styles of a team with those of one document on top of them, and what follows from them. */
export function completeStyles(team: GivenStyles, own: GivenStyles = {}): TeamStyles {
  const given: GivenStyles = { ...team, ...own };
  const light = {
    ...usualStyles,
    ...given,
    headingFont: given.headingFont ?? given.font ?? usualStyles.font,
    buttonText: given.buttonText ?? readableOn(given.button ?? usualStyles.button, '#ffffff', 3),
  };
  return { ...light, dark: darkPalette(light, { ...team.dark, ...own.dark }) };
}

/** Brand colors stay what they are where they can be read on dark. */
function darkPalette(light: Palette, given: Partial<Palette>): Palette {
  const ground = { ...usualDark, ...given };
  const isVisible = contrast(light.button, ground.content) >= 2.5;
  const button = given.button ?? (isVisible ? light.button : '#f6f6f8');
  return {
    ...ground,
    link: given.link ?? readableOn(ground.content, mixed(light.link, '#ffffff', 0.15)),
    button,
    buttonText:
      given.buttonText ??
      (isVisible && given.button === undefined ? light.buttonText : readableOn(button, light.heading)),
  };
}
