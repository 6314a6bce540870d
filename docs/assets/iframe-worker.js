/* Search without a server: a page from disk may start no worker, so a hidden frame of
   the same page takes its place. With a server this file does nothing. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      this.inside = inside;
      window.addEventListener("message", (event) => {
        if (event.source !== inside) return;
        const message = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      });
      const load = (source) =>
        new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          script.src = source;
          script.onload = done;
          script.onerror = failed;
          inside.document.head.appendChild(script);
        });
      const base = url instanceof URL ? url.href : String(url);
      inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data, source: inside });
        window.dispatchEvent(event);
      };
      inside.importScripts = (...sources) =>
        sources.reduce(
          (before, source) => before.then(() => load(new URL(source, base).href)),
          Promise.resolve(),
        );
      this.ready = load(base);
    }

    postMessage(data) {
      this.ready.then(() =>
        this.inside.dispatchEvent(
          new this.inside.MessageEvent("message", { data }),
        ),
      );
    }

    terminate() {}
  };
}
