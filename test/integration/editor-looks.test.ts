import { expect, it } from '@jest/globals';
import * as canvas from '../../apps/dashboard/src/logic/email-looks.js';
import * as sent from '../../libs/editor/src/domain/rendering/markup.js';

it('the canvas of the editor shows buttons and pictures as they are sent', () => {
  expect(canvas.buttonSizes).toEqual(sent.buttonSizes);
  expect(canvas.underPicture).toBe(sent.underPicture);
});
