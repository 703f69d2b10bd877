const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

/** The page of last resort: needs no script, no asset and no service. The digest stands in the server's log. */
export function serverErrorPage({ host, digest, nonce }: { host: string; digest: string; nonce: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Application error</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#eff3f3, #0a1011); color: light-dark(#131b1c, #e5e9ea); font: 14px/20px system-ui, sans-serif; }
main { max-width: 560px; margin: 16px; padding: 32px; border-radius: 12px; background: light-dark(#fff, #12191b); }
p { margin: 0 0 12px; }
a { color: light-dark(#00636c, #6cc5cf); }
</style>
</head>
<body>
<main>
<p>Application error: a server-side exception has occurred while loading ${escape(host)} (see the server logs for more information).</p>
<p>Digest: ${escape(digest)}</p>
<p><a href="">Reload the page</a></p>
</main>
</body>
</html>
`;
}
