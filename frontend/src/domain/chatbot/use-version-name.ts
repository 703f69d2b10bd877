import { useText } from '../../lib/text.ts';

/** What a chatbot's version goes by. The default one begins with a version that nobody has published: 0. */
export function useVersionName(): (version: number) => string {
  const { t } = useText();
  return (version) =>
    version === 0
      ? t({ id: 'chat.bot.original', defaultMessage: 'Original' })
      : t({ id: 'chat.bot.version', defaultMessage: 'Version {version}' }, { version: String(version) });
}
