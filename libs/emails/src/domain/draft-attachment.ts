import { InvalidAttachmentError } from './email-errors.js';

/** An attachment of a send request: bytes at hand. */
export interface DraftAttachment {
  readonly filename?: string;
  readonly contentType: string;
  readonly contentId?: string;
  readonly content: Uint8Array;
}

const maximumFileName = 255;
const maximumContentId = 127;

/** File types that mail servers and clients refuse because they run when opened (api-contract section 6). */
const refusedExtensions = new Set(
  (
    'adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk mad ' +
    'maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp ' +
    'mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps ' +
    'vsmacros vss vst vsw vxd ws wsc wsf wsh xnk'
  ).split(' '),
);

export function checkAttachments(attachments: readonly DraftAttachment[]): readonly DraftAttachment[] {
  for (const { filename, contentId, contentType } of attachments) {
    if (filename !== undefined) checkFileName(filename);
    if (contentId !== undefined && !/^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(contentId)) {
      throw new InvalidAttachmentError('The `content_id` of an attachment must be printable ASCII without spaces.');
    }
    if (contentId !== undefined && contentId.length > maximumContentId) {
      throw new InvalidAttachmentError('The `content_id` of an attachment must be shorter than 128 characters.');
    }
    if (!/^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/.test(contentType)) {
      throw new InvalidAttachmentError('The `content_type` of an attachment must look like `application/pdf`.');
    }
  }
  return attachments;
}

function checkFileName(filename: string): void {
  if (/[\u0000-\u001f\u007f]/.test(filename) || !filename.isWellFormed() || filename.length > maximumFileName) {
    throw new InvalidAttachmentError('The `filename` of an attachment is not usable.');
  }
  const extension = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase();
  if (extension !== undefined && refusedExtensions.has(extension)) {
    throw new InvalidAttachmentError(`Attachments of type \`.${extension}\` are not allowed.`);
  }
}

/** Bytes of the attachments in base64, as they will travel. */
export function encodedSize(attachments: readonly DraftAttachment[]): number {
  return attachments.reduce((sum, attachment) => sum + Math.ceil(attachment.content.length / 3) * 4, 0);
}
