import { describe, expect, it } from '@jest/globals';
import { html } from './markup.js';

describe('html', () => {
  it('escapes values in text and attributes', () => {
    const value = `"><script>alert('&')</script>`;
    expect(html`<p title="${value}">${value}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('inserts markup unchanged', () => {
    const items = ['a', '<'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}${html`<br />`}${3}`.text).toBe('<li>a</li><li>&lt;</li><br />3');
  });
});
