// A button at each block of commands that copies it.
const words = document.querySelector("[data-copy]")?.dataset;

const copyButton = (block) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd());
    button.textContent = words.copied;
    setTimeout(() => { button.textContent = words.copy; }, 2000);
  });
  return button;
};

// A page that is not served over HTTPS has no clipboard to write to.
if (words && navigator.clipboard) {
  for (const block of document.querySelectorAll("pre > code:not(.language-output)")) {
    const frame = document.createElement("div");
    frame.className = "block";
    const pre = block.parentElement;
    pre.replaceWith(frame);
    frame.append(pre, copyButton(block));
  }
}
