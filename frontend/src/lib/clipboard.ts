/** True when it is on the clipboard. Plain http has no clipboard API; the old command still works there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused: try the other way.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'p-hidden';
  document.body.append(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
  }
}
