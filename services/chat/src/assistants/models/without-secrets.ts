const mostCharacters = 300;

/**
 * What a provider said, fit to be shown: without the key in use, without what looks like one, addresses without who
 * signs in there and without their parameters; one line, shortened.
 */
export function withoutSecrets(said: string, apiKey: string | null): string {
  // The key first and the length last: half a key would not be known as one.
  const withoutKey = apiKey ? said.replaceAll(apiKey, '…') : said;
  return withoutKey
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(https?:\/\/)([^\s/?#"'<>]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi, '$1$3')
    .replaceAll(/(sk|key|Bearer)[-_ ][\w-]{8,}/gi, '$1…')
    .slice(0, mostCharacters);
}
