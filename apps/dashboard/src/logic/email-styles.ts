import { contrastOf, isColor, isDarkColor, mixedColors, readableColor } from './email-colors.js';

/** The complete styles of a team, as `GET /editor/styles` returns them. */
export interface EmailStyles {
  readonly background: string;
  readonly content: string;
  readonly text: string;
  readonly heading: string;
  readonly muted: string;
  readonly link: string;
  readonly line: string;
  readonly button: string;
  readonly buttonText: string;
  readonly font: string;
  readonly headingFont: string;
  readonly headingWeight: number;
  readonly fontSize: number;
  readonly lineHeight: number;
  readonly width: number;
  readonly padding: number;
  readonly corners: number;
  readonly buttonRadius: number;
  readonly buttonOutline: boolean;
  readonly alignment: string;
  readonly dark: Readonly<Record<string, string>>;
  readonly company: string;
  readonly address: string;
  readonly logo: string;
  readonly logoAlt: string;
  readonly logoWidth: number;
  readonly website: string;
}

export const fontStacks: Readonly<Record<string, string>> = {
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
};

/** The variables with which the canvas is drawn. */
export function styleVariables(styles: EmailStyles): Readonly<Record<string, string>> {
  const font = (name: string): string => fontStacks[name] ?? (fontStacks.system as string);
  return {
    '--e-page': styles.background,
    '--e-content': styles.content,
    '--e-text': styles.text,
    '--e-heading': styles.heading,
    '--e-muted': styles.muted,
    '--e-link': styles.link,
    '--e-line': styles.line,
    '--e-button': styles.button,
    '--e-button-text': styles.buttonText,
    '--e-font': font(styles.font),
    '--e-heading-font': font(styles.headingFont),
    '--e-heading-weight': String(styles.headingWeight),
    '--e-size': `${styles.fontSize}px`,
    '--e-line-height': String(styles.lineHeight),
    '--e-width': `${styles.width}px`,
    '--e-padding': `${styles.padding}px`,
    '--e-corners': `${styles.corners}px`,
    '--e-button-radius': `${styles.buttonRadius}px`,
    '--e-alignment': styles.alignment,
  };
}

let current: Pick<EmailStyles, 'text' | 'heading' | 'muted' | 'link' | 'button' | 'buttonText' | 'content'> | undefined;

/** The styles from which the colors on the backgrounds of blocks are computed; one editor is open at a time. */
export function setCurrentStyles(styles: EmailStyles): void {
  current = styles;
}

/** The variables that change on a background of a block, so that everything on it can be read. */
export function variablesOn(background: string, textColor: string): Readonly<Record<string, string>> {
  if (!isColor(background) && !isColor(textColor)) return {};
  if (current === undefined) return {};
  const ground = isColor(background) ? background : current.content;
  const dark = isDarkColor(ground);
  const read = (color: string): string => readableColor(ground, color);
  const hasButton = contrastOf(current.button, ground) >= 1.8;
  const own = isColor(textColor);
  return {
    '--e-text': own ? textColor : dark ? read(mixedColors('#ffffff', ground, 0.12)) : read(current.text),
    '--e-heading': own ? textColor : dark ? '#ffffff' : read(current.heading),
    '--e-muted': own
      ? mixedColors(textColor, ground, 0.3)
      : dark
        ? read(mixedColors('#ffffff', ground, 0.35))
        : read(current.muted),
    '--e-link': own ? textColor : dark ? read(mixedColors(current.link, '#ffffff', 0.5)) : read(current.link),
    '--e-line': mixedColors(ground, dark ? '#ffffff' : '#000000', 0.16),
    '--e-button': hasButton ? current.button : dark ? '#ffffff' : '#16171c',
    '--e-button-text': hasButton ? current.buttonText : dark ? readableColor('#ffffff', ground) : '#ffffff',
  };
}
