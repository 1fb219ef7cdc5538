/*
 * What the canvas of the editor must show as the email that is sent has it (`libs/editor`). A test compares them.
 */

/** Size of the text in pixels, and the padding above and beside it. */
export const buttonSizes: Readonly<Record<string, readonly [font: number, vertical: number, horizontal: number]>> = {
  small: [14, 8, 16],
  medium: [15, 12, 24],
  large: [17, 15, 32],
};

/** Background under a picture that has not been loaded, so that light text on it can be read. */
export const underPicture = '#3a3a44';
