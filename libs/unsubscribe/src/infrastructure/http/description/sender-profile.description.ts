import { thrownBy } from '#platform/api-description';
import type { ApiDescription } from '#platform/api-description';
import { maxLogoBytes, maxProfileNameLength, parseAccentColor, parseLogo } from '../../../domain/sender-profile.js';

/** A picture of one pixel. */
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const page = {
  object: 'preference_page',
  name: 'Acme',
  is_team_name: false,
  logo,
  logo_type: 'image/png',
  accent_color: '#0f766e',
};

export const apiDescription: ApiDescription = {
  tag: 'Preference page',
  tagDescription:
    'The page on which recipients unsubscribe and choose topics. Links to unsubscribe in your emails lead to it. An addition of ' +
    'Postrider.',
  schemas: {
    UpdatePreferencePageRequest: {
      description: 'The fields to change. Absent ones stay as they are, null removes one.',
      properties: {
        name: {
          description: `Name that recipients see, at most ${maxProfileNameLength} characters. Without it, the name of your team.`,
          maxLength: maxProfileNameLength,
        },
        logo: {
          description: `A PNG, JPEG, WebP or GIF picture of at most ${maxLogoBytes} bytes, in base64.`,
          contentEncoding: 'base64',
        },
        accent_color: { description: 'Colour of buttons, such as `#0f766e`.', pattern: '^#[0-9A-Fa-f]{6}$' },
      },
    },
    PreferencePageResponse: {
      description: 'How your team looks on the preference page.',
      properties: {
        object: 'Always `preference_page`.',
        name: 'Name that recipients see.',
        is_team_name: 'Whether it is the name of your team, because no other was set.',
        logo: 'The picture in base64; null where there is none.',
        logo_type: 'Media type of the picture; null where there is none.',
        accent_color: 'Colour of buttons; null for that of the service.',
      },
    },
  },
  operations: {
    'GET /preference-page': {
      operationId: 'getPreferencePage',
      summary: 'Get the look of the preference page',
      description: 'The name, logo and colour that recipients see.',
      responses: { 200: { description: 'The look of the page.', example: page } },
      errors: [],
    },
    'PATCH /preference-page': {
      operationId: 'updatePreferencePage',
      summary: 'Change the look of the preference page',
      description: 'Sets the name, logo and colour that recipients see. The page shows them at once.',
      request: {
        description: 'The fields to change.',
        examples: {
          look: { summary: 'A name, a logo and a colour', value: { name: 'Acme', logo, accent_color: '#0f766e' } },
        },
      },
      responses: { 200: { description: 'The look of the page.', example: page } },
      errors: [thrownBy(() => parseAccentColor('red')), thrownBy(() => parseLogo(new Uint8Array()))],
    },
  },
};
