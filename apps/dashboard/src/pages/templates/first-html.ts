/** What a new template begins with: readable in every mail program, narrow on a phone. */
export const firstHtml = `<!doctype html>
<html>
  <body style="margin:0;background:#f4f4f6;font-family:Helvetica,Arial,sans-serif">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td align="center" style="padding:32px 12px">
          <table role="presentation" width="100%" style="max-width:520px;background:#ffffff;border-radius:12px" cellpadding="0" cellspacing="0">
            <tr>
              <td style="padding:32px;font-size:15px;line-height:24px;color:#17171c">
                <p style="margin:0 0 16px;font-size:22px;font-weight:bold">Hello {{{FIRST_NAME|there}}}</p>
                <p style="margin:0">Write what you have to say here.</p>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
