/** Ids in the examples of the API's description. */

export const contentId = '0193a1f7-1b7e-7d25-9c48-a1b2c3d4e5f7';
export const versionId = '0193a1f7-2c8f-7e36-8d59-b2c3d4e5f607';
export const tabId = '0193a1f7-3d90-7f47-9e6a-c3d4e5f60718';
export const keyId = '0193a1f3-6b1a-7c02-8e44-1f2e3d4c5b6a';

/** A short document. */
export const exampleDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Winter news' }] },
    { type: 'paragraph', content: [{ type: 'text', text: 'The quay is open again.' }] },
    { type: 'footer' },
  ],
};

export const sectionId = '0193a1f7-4ea1-7058-8f7b-d4e5f6071829';

/** A section with a sentence and a button. */
export const exampleSection = {
  type: 'doc',
  content: [
    {
      type: 'section',
      attrs: { background: '#f1effd' },
      content: [
        { type: 'paragraph', content: [{ type: 'text', text: 'The quay is open again.' }] },
        { type: 'button', attrs: { href: 'https://example.com' }, content: [{ type: 'text', text: 'Plan a visit' }] },
      ],
    },
  ],
};
