"""Makes a tiny random model in the layout of BAAI/bge-m3: XLM-RoBERTa, CLS pooling, normalised, 8,192 tokens."""

import json
from pathlib import Path


def make_tiny_bge_m3(folder: Path) -> Path:
    """Write the model into a folder and return it."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel

    folder.mkdir()
    special = {
        "bos_token": "<s>",
        "pad_token": "<pad>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "mask_token": "<mask>",
    }
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=200, special_tokens=list(special.values()), unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(["The rain fell. ", "雨下个不停，", "第一部说的是城。"] * 20, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="<s>", sep_token="</s>", model_max_length=8192, **special
    )
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = XLMRobertaConfig(
        vocab_size=len(fast),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=128,
        max_position_embeddings=8194,
        type_vocab_size=1,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    XLMRobertaModel(config).save_pretrained(folder)
    kinds = ("Transformer", "Pooling", "Normalize")
    modules = [
        {
            "idx": place,
            "name": str(place),
            "path": "" if not place else f"{place}_{kind}",
            "type": f"sentence_transformers.models.{kind}",
        }
        for place, kind in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    modes = dict.fromkeys(("mean_tokens", "max_tokens", "mean_sqrt_len_tokens"), False)
    pooling = {f"pooling_mode_{mode}": on for mode, on in {"cls_token": True, **modes}.items()}
    (folder / "1_Pooling/config.json").write_text(json.dumps({"word_embedding_dimension": 64, **pooling}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 8192, "do_lower_case": False}))
    return folder
